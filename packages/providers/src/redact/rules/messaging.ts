import type { RedactionRule } from '../redaction-rule.ts';
import { hasBothCases, isAny, isMixed } from './judge.ts';
import { named, shape, UUID } from './shape.ts';
import { traitsOf } from './traits.ts';

/** Keys of chats, mail, telephones and social networks. */
export const messagingRules: readonly RedactionRule[] = [
  shape(
    'slack-token',
    'Slack bot, user, workspace and legacy tokens',
    /xox[abeoprsc]-[\w-]{10,250}/,
    {
      // `xoxb-Slack_BOT_TOKEN`, `xoxp-1-RANDOMSTRINGHERE`.
      is: (token) =>
        traitsOf(token).digits > 2 || (hasBothCases(token.slice(5)) && !token.includes('_')),
    },
  ),
  shape('slack-token', 'Slack configuration token', /xoxe\.xox[bp]-[\w-]{20,250}/),
  shape('slack-token', 'Slack session of a client', /xox[cd]-[\w%-]{20,250}/),
  shape(
    'slack-app-token',
    'Slack app-level token',
    /xapp-\d-[A-Z0-9]{5,20}-\d{5,20}-[a-z0-9]{20,100}/i,
  ),
  shape(
    'slack-webhook',
    'Slack incoming webhook',
    /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[\w/+-]{20,120}/,
  ),
  shape(
    'discord-token',
    'Discord bot',
    /\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])(?<=(?<from>[MNO][\w-]{22,27})\.[\w-]{6}\.[\w-]{27,38})/,
    { keywords: ['.'], minLength: 35, is: isMixed },
  ),
  shape(
    'discord-webhook',
    'Discord webhook',
    /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,21}\/[\w-]{40,100}/,
  ),
  shape('discord-token', 'Discord user with two factors', /mfa\.[\w-]{80,90}/, { is: isMixed }),
  named('discord-secret', 'Discord client', 'discord', '[\\w-]{32}'),
  named('discord-secret', 'Discord public key', 'discord', '[a-f0-9]{64}'),
  shape(
    'telegram-token',
    'Telegram bot',
    /:AA[\w-]{32,34}(?![\w-])(?<=(?<from>\d{7,12}):AA[\w-]{32,34})/,
    {
      keywords: [':aa'],
      is: isAny,
    },
  ),
  named('line-token', 'LINE channel access token', 'line', '[A-Za-z0-9+/]{100,200}={0,2}', {
    is: isMixed,
  }),
  named('line-token', 'LINE Notify', 'line', '[A-Za-z0-9]{43}', { is: isMixed }),
  named('line-secret', 'LINE channel secret', '(?:line|channel_?secret)', '[a-f0-9]{32}', {
    keywords: ['line', 'channel_secret', 'channelsecret'],
  }),
  // The tokens of all channels end alike.
  shape(
    'line-token',
    'LINE channel access token',
    /(?<=(?<from>[A-Za-z0-9+/]{100,160}))1O\/w1cDnyilFU=/,
    {
      keywords: ['1o/w1cdnyilfu='],
    },
  ),
  shape(
    'meta-token',
    'Facebook, WhatsApp and Messenger',
    /(?<![A-Za-z0-9/]\+?)EAA[A-Za-z0-9]{60,400}/,
    { is: isMixed },
  ),
  shape(
    'instagram-token',
    'Instagram and Threads',
    /(?<![A-Za-z0-9/]\+?)(?:IGQ|IGAA|THAA)[A-Za-z0-9_-]{60,400}/,
    { is: isMixed },
  ),
  named(
    'meta-token',
    'Facebook app',
    '(?:facebook|fb_)',
    '(?:[a-f0-9]{32}|\\d{13,16}\\|[\\w-]{27,40})',
  ),
  shape('telnyx-key', 'Telnyx', /KEY[\dA-Fa-f]{32}_[A-Za-z0-9]{22}/),
  shape(
    'chat-webhook',
    'Webhooks of Feishu, Lark and WeCom',
    new RegExp(
      `(?:open\\.feishu\\.cn|open\\.larksuite\\.com)/open-apis/bot/v2/hook/(?<secret>${UUID})|qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=(?<bare>${UUID})`,
    ),
    { keywords: ['open.feishu.cn/', 'open.larksuite.com/', 'qyapi.weixin.qq.com/'] },
  ),
  shape(
    'teams-webhook',
    'Microsoft Teams',
    /(?:webhook\.office\.com\/webhookb2|outlook\.office\.com\/webhook)\/[\w@-]{36,120}\/IncomingWebhook\/[\da-f]{32}\/[\w/-]{36,100}/i,
    {
      keywords: ['webhook.office.com/', 'outlook.office.com/webhook/'],
    },
  ),
  shape(
    'google-chat-webhook',
    'Google Chat webhook',
    /chat\.googleapis\.com\/v1\/spaces\/[\w-]{4,40}\/messages\?[\w%&=.-]{20,300}/,
  ),
  shape('matrix-token', 'Matrix', /(?:syt|mct|mat|syr)_[A-Za-z0-9_-]{20,100}/, { is: isMixed }),
  named('mattermost-token', 'Mattermost', 'mattermost', '[a-z0-9]{26}'),
  named('zulip-key', 'Zulip', 'zulip', '[A-Za-z0-9]{32}'),
  named('rocketchat-token', 'Rocket.Chat', '(?:rocket|x-auth-token)', '[\\w-]{43}', {
    is: isMixed,
  }),
  shape('twilio-key', 'Twilio API key', /SK[\da-f]{32}(?![\da-z])/i, {
    is: (secret) => secret.startsWith('SK') && /\d/.test(secret),
  }),
  shape('twilio-account', 'Twilio account', /AC[\da-f]{32}(?![\da-z])/, {
    is: (secret) => secret.startsWith('AC'),
  }),
  named(
    'twilio-token',
    'Twilio auth token and API secret',
    'twilio',
    '(?:[a-f0-9]{32}|[A-Za-z0-9]{32})',
  ),
  shape('sendgrid-key', 'SendGrid, by its length', /SG\.[\w.=-]{66}/),
  shape('sendgrid-key', 'SendGrid', /SG\.[\w-]{16,64}[.=][\w.=-]{16,64}/),
  shape('mailgun-key', 'Mailgun', /(?:key|pubkey)-[\da-f]{32}(?!\w)/),
  shape(
    'mailgun-key',
    'Mailgun, newer',
    /-[\da-f]{8}-[\da-f]{8}(?![\w-])(?<=(?<from>[\da-f]{32})-[\da-f]{8}-[\da-f]{8})/,
    {
      keywords: ['-'],
      minLength: 18,
    },
  ),
  named('mailgun-key', 'Mailgun by its name', 'mailgun', '[a-f0-9]{32}(?:-[a-f0-9]{8}){0,2}'),
  shape('mailchimp-key', 'Mailchimp', /(?<=(?<from>[\da-f]{32}))-us\d{1,2}(?!\w)/, {
    keywords: ['-us'],
  }),
  shape('mandrill-key', 'Mandrill', /md-[\w-]{22}(?![\w-])/, { is: isMixed }),
  named('postmark-token', 'Postmark', 'postmark', UUID),
  shape('resend-key', 'Resend', /re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,40}/, { is: isMixed }),
  shape('brevo-key', 'Brevo', /x(?:keysib|smtpsib)-[\da-f]{64}-[A-Za-z0-9]{16}/),
  shape('klaviyo-key', 'Klaviyo', /pk_(?:[A-Za-z0-9]{6}_)?[\da-f]{34}/),
  shape('courier-key', 'Courier', /pk_(?:prod|test)_[A-Z0-9]{28}/),
  shape('ably-key', 'Ably', /:[\w-]{43}(?![\w-])(?<=(?<from>[\w-]{6}\.[\w-]{6}):[\w-]{43})/, {
    keywords: [':'],
    minLength: 44,
    is: isMixed,
  }),
  named('vonage-secret', 'Vonage and Nexmo', '(?:vonage|nexmo)', '[A-Za-z0-9]{16}', {
    is: isMixed,
  }),
  named('plivo-token', 'Plivo', 'plivo', '[A-Za-z0-9]{40}'),
  named(
    'messagebird-key',
    'MessageBird',
    '(?:messagebird|message_bird|message-bird)',
    '[A-Za-z0-9]{25}',
  ),
  named('sendbird-token', 'Sendbird', 'sendbird', '[a-f0-9]{40}'),
  named('pusher-secret', 'Pusher', 'pusher', '[a-f0-9]{20}'),
  shape('intercom-token', 'Intercom', /dG9rO[A-Za-z0-9+/]{50,80}={0,2}/, { is: isMixed }),
  shape(
    'twitter-token',
    'X and Twitter bearer',
    /(?<![A-Za-z0-9/]\+?)A{19,24}[A-Za-z0-9%]{60,120}/,
    { keywords: ['aaaaaaaaaaaaaaaaaaa'], is: isMixed },
  ),
  named(
    'twitter-token',
    'X and Twitter',
    '(?:twitter|x_api|x_access)',
    '(?:\\d{15,25}-[A-Za-z0-9]{20,40}|[A-Za-z0-9]{45,50}|[A-Za-z0-9]{25})',
    { is: isMixed },
  ),
  shape('linkedin-secret', 'LinkedIn', /WPL_AP[01]\.[\w.=+/]{16,40}/),
  named('linkedin-secret', 'LinkedIn, older', 'linkedin', '[A-Za-z0-9]{16}', { is: isMixed }),
  shape('twitch-token', 'Twitch', /oauth:[a-z0-9]{30}(?!\w)/),
  named('twitch-secret', 'Twitch client', 'twitch', '[a-z0-9]{30}'),
  named('reddit-secret', 'Reddit', 'reddit', '[\\w-]{27,30}', { is: isMixed }),
  named('spotify-secret', 'Spotify', 'spotify', '[a-f0-9]{32}'),
  shape('pinterest-token', 'Pinterest', /pina_[A-Z0-9]{40,120}/i, { is: hasLetterAndDigit }),
  shape('tiktok-token', 'TikTok', /act\.[A-Za-z0-9!.]{40,100}/, { is: isMixed }),
  shape('vk-token', 'VK', /vk1\.a\.[\w-]{60,300}/),
  named('kakao-key', 'Kakao', 'kakao', '[a-f0-9]{32}'),
  named('naver-secret', 'Naver', 'naver', '[\\w-]{10}', { is: isMixed }),
  shape('onesignal-key', 'OneSignal', /os_v2_(?:app|org)_[a-z0-9]{50,120}/),
  named('onesignal-key', 'OneSignal, older', 'onesignal', UUID),
  shape('mailersend-key', 'MailerSend', /mlsn\.[\da-f]{64}/),
  shape(
    'webex-token',
    'Webex',
    new RegExp(`(?<=(?<from>[A-Za-z0-9]{64}))_(?:PF84|P0A1|PE93)_${UUID}`),
    { keywords: ['_pf84_', '_p0a1_', '_pe93_'] },
  ),
];

function hasLetterAndDigit(text: string): boolean {
  return /\d/.test(text) && /[a-z]/i.test(text);
}
