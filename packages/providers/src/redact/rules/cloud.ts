import type { RedactionRule } from '../redaction-rule.ts';
import { hasBothCases, isAny, isMixed } from './judge.ts';
import { named, shape } from './shape.ts';

const UUID = '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}';

/** Keys of clouds, hosts, databases, and of what keeps secrets. */
export const cloudRules: readonly RedactionRule[] = [
  shape('aws-key', 'AWS access key id', /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/, {
    is: (secret) => /\d/.test(secret) || secret.endsWith('EXAMPLE'),
  }),
  named('aws-secret', 'AWS secret access key', 'secret[_.-]?(?:access[_.-]?)?key', '[\\w/+]{40}', {
    keywords: ['secret'],
    is: hasBothCases,
  }),
  named('aws-secret', 'AWS secret access key, other names', '(?:aws|amazon)', '[\\w/+]{40}', {
    is: isMixed,
  }),
  named(
    'aws-session-token',
    'AWS session token',
    '(?:session_token|sessiontoken|session-token|security-token|security_token|securitytoken)',
    '[\\w/+=%-]{60,3000}',
    { is: isMixed },
  ),
  shape(
    'aws-session-token',
    'AWS session token by its beginning',
    /(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz|FwoDYXdz|FQoDYXdz)[\w/+=%]{50,3000}/,
    { is: isMixed },
  ),
  shape('aws-bedrock-key', 'Amazon Bedrock, long-term', /ABSK[A-Za-z0-9+/]{80,300}={0,2}/, {
    is: isMixed,
  }),
  shape('aws-bedrock-key', 'Amazon Bedrock, short-term', /bedrock-api-key-[A-Za-z0-9+/=]{20,3000}/),
  shape('aws-mws-token', 'Amazon MWS', new RegExp(`amzn\\.mws\\.${UUID}`)),
  shape('aws-appsync-key', 'AWS AppSync', /da2-[a-z0-9]{26}(?!\w)/),
  shape('aws-signature', 'AWS presigned address', /X-Amz-Signature=[\da-f]{64}/i),
  shape('google-key', 'Google API key', /AIza[\w-]{35}/),
  shape('google-key', 'Google API key, cut off', /AIzaSy[\w-]{20,32}(?=$|\.{3}|…)/, {
    is: isMixed,
  }),
  shape('google-key', 'Google API key bound to an account', /AQ\.Ab[\w-]{30,200}/, { is: isMixed }),
  shape('google-key', 'Google Vertex express key', /AQ\.[A-Za-z0-9][\w-]{39,200}/, { is: isMixed }),
  shape('google-oauth-secret', 'Google OAuth client secret', /GOCSPX-[\w-]{20,40}/, {
    is: hasBothCases,
  }),
  shape('google-oauth-token', 'Google OAuth access token', /ya29\.[\w.-]{20,1000}/),
  shape('google-refresh-token', 'Google OAuth refresh token', /1\/\/0[\w-]{30,200}/, {
    is: isMixed,
  }),
  shape('google-auth-code', 'Google OAuth code', /4\/0A[\w-]{40,200}/, { is: isMixed }),
  shape('google-hmac-key', 'Google Cloud Storage HMAC key id', /GOOG1[A-Z0-9]{20,61}/),
  shape('google-fcm-key', 'Firebase Cloud Messaging', /:APA91b[\w-]{100,200}/),
  named('google-key-id', 'Key id of a Google service account', 'private_key_id', '[a-f0-9]{40}'),
  shape('azure-client-secret', 'Microsoft Entra', /(?<=(?<from>[\w~.-]{3}\d))Q~[\w~.-]{28,36}/, {
    keywords: ['q~'],
  }),
  shape(
    'azure-key',
    'Azure keys with a signature: storage, functions, search, cache, service bus, batch, registry',
    /(?<=(?<from>[A-Za-z0-9+/_-]{32,80}))(?:\+ASt|\+ABa|\+AMC|\+ASb|\+AEh|\+ARm|\+ACR|AzFu|AzSe|AzCa|AIoT|ACDb|APIM)[A-Za-z0-9+/_-]{5,10}={0,2}/,
    {
      keywords: [
        '+ast',
        '+aba',
        '+amc',
        '+asb',
        '+aeh',
        '+arm',
        '+acr',
        'azfu',
        'azse',
        'azca',
        'aiot',
        'acdb',
        'apim',
      ],
      is: isMixed,
    },
  ),
  shape(
    'azure-key',
    'Azure AI services and DevOps, with a signature',
    /(?<=(?<from>[A-Za-z0-9]{40,60}))JQQJ99[A-Za-z0-9]{20,40}/,
    { keywords: ['jqqj99'] },
  ),
  named('azure-key', 'Azure DevOps and search', '(?:azure|ado_|devops|vsts)', '[a-z0-9]{52}'),
  named(
    'azure-key',
    'Azure Cosmos DB and batch',
    '(?:cosmos|azure|documentdb)',
    '[A-Za-z0-9+/]{86}==',
  ),
  named('azure-subscription-key', 'Azure API Management', 'subscription-key', '[a-f0-9]{32}'),
  shape(
    'azure-refresh-token',
    'Microsoft Entra refresh token',
    /[01]\.A[\w-]{50,200}\.Ag[\w-]{200,2000}/,
    {
      keywords: ['0.a', '1.a'],
    },
  ),
  shape('digitalocean-token', 'DigitalOcean', /do[opr]_v1_[\da-f]{40,64}/),
  shape('digitalocean-spaces-key', 'DigitalOcean Spaces', /DO00[A-Z0-9]{16}(?!\w)/),
  shape('heroku-key', 'Heroku', /HRKU-[\w-]{36,64}/),
  named('heroku-key', 'Heroku, older', 'heroku', UUID),
  shape('scaleway-key', 'Scaleway', /SCW[A-Z0-9]{17}(?!\w)/),
  shape('alibaba-key', 'Alibaba Cloud', /LTAI[A-Za-z0-9]{12,24}/),
  named(
    'alibaba-secret',
    'Alibaba Cloud secret',
    '(?:alibaba|aliyun|access_?key_?secret)',
    '[A-Za-z0-9]{30}',
    {
      keywords: ['alibaba', 'aliyun', 'accesskeysecret', 'access_key_secret'],
    },
  ),
  shape('tencent-key', 'Tencent Cloud', /(?<![A-Za-z0-9/]\+?)AKID[A-Za-z0-9]{32}/),
  shape('baidu-key', 'Baidu AI Cloud', /bce-v3\/ALTAK-[A-Za-z0-9]{16,40}\/[\da-f]{32,64}/),
  shape('yandex-key', 'Yandex Cloud', /AQVN[\w-]{35,38}/, { is: isMixed }),
  shape('yandex-key', 'Yandex Cloud static key', /(?<![A-Za-z0-9/]\+?)YCA[\w-]{37}(?!\w)/, {
    is: isMixed,
  }),
  shape('yandex-token', 'Yandex IAM token', /t1\.[\w-]{20,500}={0,2}\.[\w-]{60,200}/, {
    is: isMixed,
  }),
  shape('yandex-token', 'Yandex OAuth token', /y[0123]_[\w-]{50,70}/, { is: isMixed }),
  named('ibm-key', 'IBM Cloud', 'ibm', '[\\w-]{44}', { is: isMixed }),
  named('linode-token', 'Linode', 'linode', '[a-f0-9]{64}'),
  named('vultr-key', 'Vultr', 'vultr', '[A-Z0-9]{36}'),
  named('hetzner-token', 'Hetzner', '(?:hetzner|hcloud)', '[A-Za-z0-9]{64}'),
  shape(
    'fly-token',
    'Fly.io',
    /(?:fo1_[\w-]{43}|fm1[ar]_[\w+/-]{40,2000}={0,3}|fm2_[\w+/-]{40,2000}={0,3})/,
    {
      keywords: ['fo1_', 'fm1a_', 'fm1r_', 'fm2_'],
    },
  ),
  shape('cloudflare-token', 'Cloudflare', /cf(?:at|ut|k)_[A-Za-z0-9]{40,60}/, {
    keywords: ['cfat_', 'cfut_', 'cfk_'],
  }),
  shape('cloudflare-origin-key', 'Cloudflare Origin CA', /v1\.0-[\da-f]{24}-[\da-f]{80,146}/),
  named('cloudflare-token', 'Cloudflare, older', '(?:cloudflare|cf_)', '[\\w-]{40}'),
  named('cloudflare-key', 'Cloudflare global key', '(?:cloudflare|cf_|x-auth-key)', '[a-f0-9]{37}'),
  shape('render-key', 'Render', /rnd_[A-Za-z0-9]{24,40}/, { is: isMixed }),
  named('railway-token', 'Railway', 'railway', UUID),
  shape('netlify-token', 'Netlify', /nf[pcoub]_[A-Za-z0-9]{30,50}/, { is: isMixed }),
  named('netlify-token', 'Netlify, older', 'netlify', '[\\w-]{43,64}'),
  shape('vercel-token', 'Vercel', /vc[piar]_[A-Za-z0-9]{24,80}/, { is: isMixed }),
  shape('vercel-blob-token', 'Vercel Blob', /vercel_blob_rw_[A-Za-z0-9]{10,30}_[A-Za-z0-9]{20,60}/),
  named('vercel-token', 'Vercel, older', 'vercel', '[A-Za-z0-9]{24}', { is: isMixed }),
  shape('supabase-token', 'Supabase', /sb(?:p_(?:oauth_)?[\da-f]{40}|_secret_[\w-]{20,60})/, {
    keywords: ['sbp_', 'sb_secret_'],
  }),
  shape('neon-key', 'Neon', /napi_[a-z0-9]{40,80}/),
  shape('neon-password', 'Neon database password', /npg_[A-Za-z0-9]{10,30}/),
  shape('planetscale-token', 'PlanetScale', /pscale_(?:tkn|pw|oauth|otkn)_[\w.=-]{32,64}/),
  shape('mongodb-key', 'MongoDB Atlas service account', /mdb_sa_sk_[\w-]{40,60}/),
  named('mongodb-key', 'MongoDB Atlas', '(?:mongodb|atlas)', UUID),
  shape('aiven-password', 'Aiven', /AVNS_[\w-]{17,30}/, { is: isMixed }),
  shape('databricks-token', 'Databricks', /(?:dapi|dkea|dose|dsapi|doit)[\da-f]{32}(?:-\d)?/),
  shape('confluent-secret', 'Confluent', /cflt[A-Za-z0-9+/]{60}/, { is: isMixed }),
  named('confluent-secret', 'Confluent, older', 'confluent', '[A-Za-z0-9+/]{64}'),
  shape('clickhouse-key', 'ClickHouse Cloud', /4b1d[A-Za-z0-9]{38}(?!\w)/, { is: isMixed }),
  named('upstash-token', 'Upstash', '(?:upstash|redis_rest)', '[A-Za-z0-9+/_-]{40,80}={0,2}', {
    is: isMixed,
  }),
  shape('pulumi-token', 'Pulumi', /pul-[\da-f]{40}/),
  shape(
    'terraform-token',
    'HCP Terraform and Vagrant',
    /(?<=(?<from>[A-Za-z0-9]{14}))\.atlasv1\.[\w-]{40,80}/,
    {
      keywords: ['.atlasv1.'],
    },
  ),
  shape('vault-token', 'HashiCorp Vault', /hv[sbr]\.[\w-]{20,400}/, { is: isMixed }),
  named('vault-token', 'HashiCorp Vault, older', 'vault', 's\\.[A-Za-z0-9]{24}'),
  named('consul-token', 'HashiCorp Consul and Nomad', '(?:consul|nomad)', UUID),
  shape(
    'doppler-token',
    'Doppler',
    /dp\.(?:ct|pt|st|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}/,
  ),
  shape('infisical-token', 'Infisical', new RegExp(`st\\.${UUID}\\.[\\da-f]{32}\\.[\\da-f]{32}`)),
  shape('onepassword-token', '1Password service account', /ops_eyJ[A-Za-z0-9+/_-]{50,4000}={0,3}/),
  shape(
    'onepassword-key',
    '1Password secret key',
    /A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}-(?:[A-Z0-9]{5,6}-){2,3}[A-Z0-9]{5}/,
  ),
  shape(
    'bitwarden-token',
    'Bitwarden Secrets Manager',
    new RegExp(`0\\.${UUID}\\.[A-Za-z0-9]{20,40}:[\\w+/=]{20,30}`),
    {
      keywords: ['0.'],
    },
  ),
  shape('age-key', 'age', /AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/i, {
    is: isAny,
  }),
  shape('tailscale-key', 'Tailscale', /tskey-[a-z]{2,20}-[A-Za-z0-9]{6,40}-[A-Za-z0-9]{16,60}/),
  shape('secret-key-token', 'Keys of the form secret_key_', /secret_key_[A-Za-z0-9]{32,60}/, {
    is: isMixed,
  }),
  named('ngrok-token', 'ngrok', 'ngrok', '[A-Za-z0-9]{20,30}_[A-Za-z0-9]{20,30}'),
  named('okta-token', 'Okta', '(?:okta|ssws)', '00[\\w-]{40}'),
  named('auth0-secret', 'Auth0', 'auth0', '[\\w-]{64}', { is: isMixed }),
  shape('jumpcloud-key', 'JumpCloud', /jca_[A-Za-z0-9]{30,50}/, { is: isMixed }),
  shape('stytch-secret', 'Stytch', /secret-(?:live|test)-[\w-]{36}=/),
  shape('openshift-token', 'OpenShift', /sha256~[\w-]{43}/, { is: isMixed }),
  shape('prefect-key', 'Prefect', /pn[ub]_[A-Za-z0-9]{36}/),
  shape('temporal-key', 'Temporal Cloud', /tmprl_[A-Za-z0-9_]{30,80}/),
  named('fastly-token', 'Fastly', 'fastly', '[\\w-]{32}'),
  named('bunny-key', 'bunny.net', 'bunny', `${UUID}(?:${UUID})?`),
];
