import { redact } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';

const hex = '9f86d081884c7d659a2feaa0c55ad015';
const mixed = 'q8Kd/2mVx+Zr7Yw1LtN4bHc6PfJs9GeAuXoQi3Tk';
const line = 'kX9dJ2mVbQx7LmpR0sT9uWyZaCeFgHiJ8kLmNoPqrStUvWxYkX9dJ2mVbQx7Lmp9';

/** Texts of programs and people, each with its secret. */
const TEXTS: readonly (readonly [secret: string, text: string])[] = [
  ['My$ql2026', '[client]\nuser=root\npassword="My$ql2026"\n'],
  ['Secret#1x', 'password: "Secret#1x"'],
  ['New!pass9', 'DB_PASSWORD=New!pass9'],
  [mixed, `AWS Access Key ID [None]: x\nAWS Secret Access Key [None]: ${mixed}\n`],
  ['Adm1n!23x', 'New password (again): Adm1n!23x'],
  ['Adm1n!23x', 'la clave de root es Adm1n!23x'],
  ['Hunter22x', 'clave: Hunter22x'],
  ['Adm1n!23x', 'use Adm1n!23x as password for the database'],
  ['Adm1n!23x', 'Adm1n!23x as the new password, please'],
  ['Adm1n!23x', 'the password for db1 was changed from Old1!pass to Adm1n!23x'],
  ['aB3dE6gH9jK2mN5pQ8sT1vW4yZ7', 'a public API, and its API key - aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'],
  ['Adm1n!23x', "$mysqli->connect('localhost', 'root', 'Adm1n!23x')"],
  ['hunter2x1', 'localhost:5432:password:hunter2x1\n'],
  ['hunter2x1', 'db:5432:passwords:hunter2x1\n'],
  ['hunter2x1', 'db:5432:shop:bob:hunter2x1\n'],
  ['andr01dStore', "storePassword 'andr01dStore'\nkeyAlias 'a'\n"],
  ['abcd efgh ijkl mnop', 'SMTP_PASS="abcd efgh ijkl mnop"'],
  ['psAuxPw9', 'java -Dspring.datasource.password=psAuxPw9 -jar app.jar'],
  [hex.slice(0, 20), `nuget push x.nupkg -ApiKey ${hex.slice(0, 20)}`],
  ['Adm1n!23x', "New-User -Name bob -Password 'Adm1n!23x'"],
  [mixed, `{"name":"X-Auth-Token","value":"${mixed}"}`],
  [hex, `{"name":"Cookie","value":"_session_id=${hex}"}`],
  [hex, `Cookie: __Secure-next-auth.session-token=${hex}; a=b`],
  [
    'x8Jf0aKq2LmZpV~bN7tRw4yUe9iOs;D1gH{X5vB3nM',
    "define('AUTH_KEY',  'n0Q#$kd8(] x8Jf0aKq2LmZpV~bN7tRw4yUe9iOs;D1gH{X5vB3nM');",
  ],
  ['Adm1n!23x', 'let password = String::from("Adm1n!23x");'],
  ['Adm1n!23x', 'let password: SecretString = SecretString::new("Adm1n!23x".into());'],
  ['Adm1n!23x', 'private String dbPassword = new String("Adm1n!23x");'],
  [hex, `const std::string api_key = std::string("${hex}");`],
  [hex, `apiKey: aws.String("${hex}"),`],
  [hex, `secret := []byte("${hex}")`],
  [hex, `secretValue: cdk.SecretValue.unsafePlainText('${hex}'),`],
  [hex, `let token: Option<String> = Some(String::from("${hex}"));`],
  ['Adm1n!23x', "password = Buffer.from('Adm1n!23x')"],
  ['Adm1n!23x', 'smbclient //nas/share -U hanako%Adm1n!23x'],
  ['Adm1n!23x', "rpcclient --user='CORP\\hanako%Adm1n!23x' 10.0.0.1"],
  ['Adm1n!23x', 'npmAuthIdent: "hanako:Adm1n!23x"'],
  ['Welc0me!99', '初期PW: Welc0me!99 ログイン後に変更してください'],
  ['Adm1n!23x', 'net user bob Adm1n!23x /add'],
  ['Adm1n!23x', 'wpa_passphrase "home" "Adm1n!23x" > home.conf'],
  ['Adm1n!23x', 'nmcli dev wifi connect home password Adm1n!23x'],
  ['Adm1n!23x', 'sqlcmd -S h -U sa -P Adm1n!23x -Q "select 1"'],
  ['Adm1n!23x', "CREATE LOGIN app WITH PASSWORD = N'Adm1n!23x';"],
  ['Adm1n!23x', "ALTER LOGIN app WITH PASSWORD N'Adm1n!23x'"],
  [hex, `gh auth login --with-token <<< ${hex}`],
  ['Adm1n!23x', "sudo -S apt update <<< 'Adm1n!23x'"],
  [`${mixed}123`, `client.api_key("${mixed}123")`],
  ['Adm1n23x', 'net user bob Adm1n23x /add'],
  ['Password2024', 'net user bob Password2024 /add /y'],
  ['Adm1n23x', '  net user bob Adm1n23x'],
  ['Hunter22', 'C:\\> net user bob Hunter22'],
  ['Adm1n23x', 'PS C:\\Users> net user bob Adm1n23x to make one'],
  ['Hunter2024', '$ sudo wpa_passphrase home Hunter2024 | sudo tee x'],
  ['Adm1n!23x', 'I ran net user bob Adm1n!23x and it failed'],
  ['Passw0rd!', 'run net user bob Passw0rd! now'],
  ['Adm1n@2024', 'run net user bob Adm1n@2024 now'],
  ['Password22', '"net user bob Password22"'],
  ['Password22', '{"cmd":"x\\nnet user bob Password22\\n"}'],
  ['Adm1n23x', 'C:\\Windows\\System32\\net user bob Adm1n23x'],
  ['hunter22', 'nmcli dev wifi connect home password hunter22'],
  ['hunter22', 'nmcli -a device wifi hotspot ssid x password hunter22'],
  ['Hunter22x', 'nmcli con modify x password Hunter22x'],
  ['Adm1n23x', 'sqlcmd -S h -U sa -PAdm1n23x'],
  ['hunter22', 'bcp a in b -U sa -P hunter22'],
  ['hunter22', 'docker login -u bob --password-stdin <<< hunter22'],
  ['Hunter22x', 'docker login <<< Hunter22x'],
  ['hunter22', 'passwd --stdin bob <<< hunter22'],
  ['q8Kd2mVxZr7Yw1LtN4bHc6PfJs9Ge', 'client.api_key("q8Kd2mVxZr7Yw1LtN4bHc6PfJs9Ge")'],
  ['q8Kd2mVxZr7Yw1LtN4bHc6PfJs9Ge', 'client.api_key("sk-live-q8Kd2mVxZr7Yw1LtN4bHc6PfJs9Ge")'],
  ['hunter22', 'sqlcmd -S h -U sa -P hunter22'],
  ...[
    'mongosh "mongodb+srv://c.mongodb.net/db?retryWrites=true&w=majority" --username bob -p hunter22',
    'mongodump --uri="mongodb://h/?replicaSet=a&ssl=true" -u bob -p hunter22',
    'mongo "mongodb://h/a?ssl=true&replicaSet=r" -u bob -phunter22',
    '7z x "https://h/f?a=1&b=2" -phunter22',
    'cd a && 7z x "A & B.7z" -phunter22',
    String.raw`{"cmd": "7z x \"A & B.7z\" -phunter22"}`,
    'nmcli dev wifi connect "AT&T 5G" password hunter22',
    'mysql --user="a&b" -phunter22 db',
    'mysql -e x 2>&1 -phunter22 db',
    'sqlcmd -S h -d "R&D" -U sa -P hunter22',
    "sqlcmd -S h -d 'R & D' -U sa -P hunter22",
    'chpasswd <<< "root:hunter22"',
    'sudo chpasswd <<<"bob:hunter22"',
    'chpasswd -c SHA512 <<< bob:hunter22',
    'passwd bob <<< hunter22',
    'passwd "$USER" <<< hunter22',
    'smbpasswd -s bob <<< hunter22',
    'htpasswd -i -B /etc/users bob <<< hunter22',
    'nmcli dev wifi con home password hunter22',
    'nmcli devi wif conn home password hunter22',
    'nmcli --ask dev wifi connect home password hunter22',
    'nmcli --wait 10 dev wifi connect home password hunter22',
    'nmcli -w 10 --colors=no d w c home password hunter22',
    'isql-fb -u sysdba -p hunter22 emp.fdb',
    'isql -user SYSDBA -p hunter22 /d/emp.fdb',
    'isql -u sysdba -phunter22 h:emp.fdb',
  ].map((text) => ['hunter22', text] as const),
  ['12345678', 'nmcli device wifi con home password 12345678'],
  ...[
    '@',
    'call ',
    'start /b cmd /k ',
    'Run: ',
    'run ',
    '次を実行: ',
    '次のコマンド：',
    '実行して、',
    '1. ',
    '1) ',
    'Done. ',
    '[ok] ',
    'Invoke-Command { ',
    'powershell -Command ',
    'psexec \\\\srv ',
    'ssh bob@host ',
    'for u in a b; do ',
  ].map((before) => ['Adm1n23x', `${before}net user bob Adm1n23x`] as const),
  ['Hunter22', 'net user bob Hunter22 2>&1'],
  ['Adm1n23x', 'then wpa_passphrase home Adm1n23x >> /etc/x'],
  ['Hunter2024', 'then wpa_passphrase home Hunter2024 >> /etc/x'],
  ['abcdefghIJKLMNOPqrstuvWX1234', 'client.api_key("abcdefghIJKLMNOPqrstuvWX1234")'],
  ['qKdmVxZrYwLtNbHcPfJsGeBa2481', 'client.api_key("qKdmVxZrYwLtNbHcPfJsGeBa2481")'],
  ['NamaPw#44', 'pwはNamaPw#44ね'],
  ['Hanako123!', 'ID/PW は tanaka / Hanako123! でお願いします'],
  [line, `チャネルアクセストークン（長期）：${line}`],
  [line, `${line}\n${line}\nkX9dJ2mVbQx7==\n-----END RSA PRIVATE KEY-----\n`],
  [line, `  "${line}\\n${line}\\n-----END PRIVATE KEY-----\\n",`],
  [
    'kX9dJ2mVbQx7LmpR0sT9uWyZaCeFgHi',
    '<password>{AQAAABAAAAAQkX9dJ2mVbQx7LmpR0sT9uWyZaCeFgHi=}</password>',
  ],
];

describe('redaction', () => {
  it.each(TEXTS)('finds %j in its surroundings', (secret, text) => {
    const { text: clean } = redact(text);
    expect(clean).not.toContain(secret);
    expect(redact(clean).text).toBe(clean);
  });

  it('finds assigned values in Japanese after sentences that have many words for secrets', () => {
    const sentences = [
      '管理画面の password 欄と access token 欄を入力します。',
      'API key と secret は「設定」から取得できます。',
      '`DB_PASSWORD` と `API_TOKEN` を .env に書きます。',
      'login のときの password と one-time password を確認。',
      'private key と public key、access key のちがい：',
      'token の期限、secret の更新、credentials の保存。',
      'passwordPolicy と tokenExpiry、accessKeyId を参照。',
      'the password is required, and the token is optional。',
    ];
    const missed: string[] = [];
    for (const start of sentences.keys()) {
      for (let count = 1; count <= 12; count++) {
        const before = Array.from(
          { length: count },
          (_, at) => sentences[(start + at * 3) % sentences.length],
        ).join('');
        for (const [open, close] of [
          ['そして token=', '　です\n'],
          ['→「secret=', '」、と'],
          ['今日のpassword=', 'です'],
        ] as const) {
          const text = `${before}${open}DuOe54qUak1x${close}`;
          if (redact(text).text.includes('DuOe54qUak1x')) missed.push(text);
        }
      }
    }
    expect(missed).toEqual([]);
  });
});
