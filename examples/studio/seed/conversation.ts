import type { VizPrompt } from '@vizprompt/core';

/** A conversation in Japanese that was asked again, edited, and brought together. */
export async function seedConversation(vizprompt: VizPrompt): Promise<void> {
  const flow = 'main';
  const model = 'gemma3:12b';
  await vizprompt.createFlow({ name: '猫カフェの予約サイト', alias: flow });
  const first = await vizprompt.createNode({
    timestamp: '2026-03-28T10:00:00+09:00',
    model,
    tags: ['企画'],
    prompt: '猫カフェの予約サイトを作りたい。何から決めればいい？',
    response:
      'まず三つです。\n\n1. 予約の単位（席か、時間か、人数か）\n2. 支払いを前にもらうか\n3. 本人の確認をどうするか\n\n三つ目が設計にいちばん響きます。',
  });
  const login = await vizprompt.createNode({
    timestamp: '2026-03-28T10:04:00+09:00',
    model,
    tags: ['認証', '設計'],
    prompt: 'ログインはどうする？ セッションとJWTの違いを教えて。',
    response:
      'セッションはサーバーが状態を持ち、JWTは署名したトークンをクライアントが持ちます。取り消しやすさではセッション、サーバーを増やしやすいのはJWTです。予約サイトの規模ならセッションで足ります。',
  });
  await vizprompt.createBranch(
    login.id,
    {
      timestamp: '2026-03-28T10:08:00+09:00',
      model,
      tags: ['認証'],
      prompt: 'セッションで進めよう。期限は何分がいい？',
      response: '操作があるたびに30分延ばし、最長で12時間にします。支払いの前だけ確認し直します。',
    },
    { flow, branchName: 'セッション案' },
  );
  const session = (await vizprompt.getFlow(flow)).head ?? '';
  const token = await vizprompt.createBranch(
    login.id,
    {
      timestamp: '2026-03-28T10:12:00+09:00',
      model,
      tags: ['認証', 'JWT'],
      prompt: 'JWTならどう作る？ 盗まれたトークンはどうする？',
      response:
        'アクセストークンを15分、リフレッシュトークンを30日にします。リフレッシュは一度使うたびに取り換え、同じものが二度使われたら、その家族をすべて取り消します。',
    },
    { flow, branchName: 'JWT案' },
  );
  await vizprompt.createBranch(
    token.id,
    {
      timestamp: '2026-03-28T10:16:00+09:00',
      model,
      tags: ['JWT'],
      prompt: '30日は長くない？',
      response: '予約は月に一度ほどなので30日にしました。気になるなら7日にして、',
      status: 'aborted',
    },
    { flow },
  );
  const short = await vizprompt.createBranch(
    token.id,
    {
      timestamp: '2026-03-28T10:20:00+09:00',
      model: 'qwen3:8b',
      tags: ['JWT'],
      prompt: '30日は長くない？',
      response:
        '7日で十分です。7日のあいだ来ない客には、もう一度メールのリンクで入ってもらいましょう。',
    },
    { flow },
  );
  await vizprompt.createNode(
    {
      timestamp: '2026-03-28T10:24:00+09:00',
      model,
      tags: ['まとめ', '設計'],
      prompt: '二つの案をまとめて、どちらにするか決めて。',
      response:
        'セッション案にします。取り消しがすぐ効き、店のサーバーは一台で足ります。JWTはスマートフォンのアプリを作るときに考えます。',
    },
    { flow, after: [session, short.id] },
  );
  await vizprompt.createBranch(
    first.id,
    {
      timestamp: '2026-03-28T10:28:00+09:00',
      model,
      tags: ['支払い'],
      prompt: '支払いを前にもらうなら、取り消しはどう扱う？',
      response: '前日の18時までは全額、それより後は半額を返す、が近くの店の相場です。',
    },
    { flow, branchName: '支払い' },
  );
  await vizprompt.updateFlow(flow, { head: short.id });
  await vizprompt.build({ model: null });
}
