import { redact } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';

/** Texts that look like a secret to a rule without a judgement, one a line. */
const HARMLESS = `
"A_default_export_can_only_be_used_in_an_ECMAScript_style_module_1319": "x"
client.beta.sessions.retrieve('sesn_011CZkYpogX7uDKUyvBTophP', 'env_011CZkZ9X2dpNyB7HsEFoRfW')
"call_id":"call_0ifqMdQXv6UW5eujDl2P9Zk0","id":"chatcmpl-Ih4wGaBYRDlw3ijfvR7Hc6iLgD2rL"
{"type":"tool_use","id":"toolu_014YLLjbr5FbokhCSyv1OBUc","request_id":"req_7aYRilxpw7spOmGPNXmByQwM"}
cus_0qtMv8zwwBCREi pi_30xR9fchAoEhruVr6nnUAyIH price_1Fc48ob2vuCWi7ArBBX9oudU
the instance is in vpc-0315f03456f3f39b2, in the subnet-02d10ed919de5f263
token-service-6h82hk6qp-zv1dq 1/1 Running, api-key-rotator-723011dd7-qiyut 0/1
backup-secret-20260102030405.tar.gz
mysql -u root -p mydb < dump.sql
DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/DB
秘密鍵は ~/.ssh/id_ed25519 に置く
パスワード（SHA256）で保存
Wi-Fiのパスは5GHz帯です、パスは src/rules/v2Beta.ts
密码改为 8 位以上、비번호 12345번、API 키는 환경 변수 OPENAI_API_KEY 에서 읽습니다
"type": "random_password", "length": 16}, {"type": "random_pet", "result": "brave-fox-12a"}
パスワードはSHA256で保存、密码（SHA256）加密存储
パスワード（Windows11）を、パスワード（PasswordV2）を参照、パスワード（AES-256-GCM）で
machine learning password Windows11 login page
user went on >Chapter2
user went on >Chapter2Beta
machine learning password Module2Beta # see
auth Module2Beta; more
auth Bearer1X; return
> auth user1 Group2Test # c
auth default Profile2Name # see
"type": "random_password", "x": {"result": "completed"}
パスワード（PBKDF2-SHA256）、パスワードはArgon2idで、密码（TLS1.2）、パスワード（iOS17）
password: !Sub "\${DbPassword}"
password: !Sub hd1xnM2ldMJO9z
Sec-WebSocket-Key: 3ZeUTx6xShg7D2ifHrZWw2==
<div class="g-recaptcha" data-sitekey="6LL9A6n71448v8Ln65DO86wqQHKmkmPlNMSX53Nx">
applicationServerKey: 'B15YMt0TwC0Pz26CDoCz1grGA93gsYiApaqW2JdcuflaUNUv5s40LLqsBMw5IRKnfWxpHYhyr81qF'
.sk-folding-cube-animation-delay { animation-delay: 0.3s }
<div class="sk-estimator-doc-link-container fitted sk-top-container-id-1">
from transformers import hf_tokenizer_from_pretrained_model_name
gsk_application_window_set_show_menubar_default_value(window)
npm_config_cache_directory_with_a_very_long_name_1
ghp_this_is_a_name_of_a_function_with_words
uniform float alpha_of_shadow_map_cascade_at_index_2_of_4_levels;
self.alpha_blending_2d_texture_with_premultiplied_Colors_test()
refs/tags/v2.0-alpha_356a192b7913b04c54574d18c28d46e6395428ab
from pha_conversion_of_electrons_in_the_lower_part_of_Spectrum2 import x
git checkout pha_356a192b7913b04c54574d18c28d46e6395428ab && make
import apk_user_settings_screen_of_version_2_with_a_long_name
@drawable/apk_user_Settings_screen_of_version_2_with_a_long_name
"etag": "1B2M2Y8AsgTpgAmY7PhCfg==:d41d8cd98f00b204e9800998ecf8427e"
1B2M2Y8AsgTpgAmY7PhCfg==:D41D8CD98F00B204E9800998ECF8427E  empty.bin
sdk.pk.d41d8cd98f00b204e9800998ecf8427e
import/cog_38b060a751ac96384cd9327eb1b1e36a21fdb71114be0743 is read
incog_a1session2without3any4history5of6the7pages8seen9in0it is read
password: "８文字以上で入力"
net user bob /active:yes
sha1sum <<< 4f405bee277aff2070356efacb29c10f103a70f7
docker login <<< "\${REGISTRY_TOKEN}"
net user account-name Password /add
wpa_passphrase network-name passphrase-2 > home.conf
nmcli dev wifi connect home password "$WIFI_PASSWORD"
sqlcmd -S localhost -U sa -P "$SA_PASSWORD" -Q "select 1"
CREATE LOGIN app WITH PASSWORD = N'<password>';
client.api_key("name_of_the_key_in_the_store_1")
How do ASP.NET user accounts OAuth2.0 work
Our .NET user groups Meetup2024 in Berlin
The Internet user survey Eurostat2023 says
the fishnet user interface Version2.0.1 is out
.NET user secrets Microsoft.Extensions.Configuration.UserSecrets@8.0.0
Run net user in PowerShell7.4 to list
use wpa_passphrase from Debian12 for it
net user accounts OAuth2 are meant
net user mails are at Bob.Miller1@example.com
Install sqlcmd and then run docker run -p 1433:1433 mssql
Use bcp or run docker run -p 5432:5432
sqlcmd -S h -Q x && mkdir -p build/v2
zip -r a.zip b && mkdir -p build/v2
zip -r "a & b.zip" c & mkdir -p build/v2
sh -c "zip a" && mkdir -p "build/v2"
mongodump --uri="mongodb://h/?a=1&b=2" && mkdir -p build/v2
With isql do docker run -p 3050:3050 firebird
passwd is what it reads <<< value2d
nmcli dev status shows no password wrong-2
Summary: net user additions 1.2Mio in May
Note: net user accounts OAuth2 are meant
In short: net user growth OAuth2.0 says
with zip and docker run -p 8080:80 nginx
mysql -e x && mkdir -p build/v2
With mongo do docker run -p 27017:27017 mongo
With nmcli the password WPA2/WPA3 is asked
nmcli: connection failed, password wrong-2
docker login <<< version2.0
if login == 1 <<< 2_000_000x
cout << "login" <<< value2d
getApiKey("OpenAI-Production-Key-2024-07-01")
getApiKey("OpenAI-production-key-2024-07-01")
this.apiKey("services.openai.credentials.keyV1.2.3")
getApiKey("src/main/java/com/Example1/KeyProvider22.java")
getApiKey("openAiProductionKeyForTeam2024")
getAccessToken("scopeOfTheTokenThatIsWanted1")
| model | LLM|2024|about-a-model-that-is-a-Table1
password: string
password: string;
readonly token: string | undefined;
token: Token2,
const password = req.body.password;
const token = tokens[index2];
token = getToken(user1)
password = String("userPassword")
const token = localStorage.getItem("token_v2-name");
password = prompt("New password 12:")
secret = secrets.get("db-password-2")
String password = new String(chars2);
curl -u hanako%40example.com https://example.com
smbclient -L host -U hanako%$PASSWORD
npmAuthIdent: "\${NPM_USER}:\${NPM_PASS}"
apiKey: process.env.OPENAI_API_KEY
apiKey: process.env["OPENAI_API_KEY"],
API_KEY=\${OPENAI_API_KEY}
API_KEY=$OPENAI_API_KEY
API_KEY=<your-api-key>
API_KEY=your_api_key_here
API_KEY="your-api-key"
api_key = os.environ["API_KEY"]
password: {{ vault_password }}
password: \${{ secrets.DB_PASSWORD }}
DB_PASSWORD=%DB_PASSWORD%
DB_PASSWORD=$(cat /run/secrets/db1)
PASSWORD_FILE=/run/secrets/db_password1
"password": "Password"
"password": "current-password"
"token": "refresh_token"
"secret": "my-secret"
password: "Passwort"
label: "Password", placeholder: "Enter your password"
"Basic authentication-middleware-example"
Basic authentication is used, the bearer of the news
Bearer token-based-authentication
Authorization: Bearer <token>
Authorization: Bearer \${token}
Authorization: Basic \${btoa(user)}
max_tokens: 4096
The password is required1, the token is invalid2
the key is README.md, the secret is out
#define TOKEN_COUNT 4096
#define PASSWORD_LENGTH 128
set -e TOKEN_FILE /run/x
ENV TOKEN_FILE /run/secrets/token1
setPassword("password")
.withCredentials(user, password1)
auth=(user, password)
openssl enc -k file.key -in a
https://example.org/?key=a-plain-name-of-a-section
self.password = password
this.password = password;
config.password=undefined
user.password = input
password = getPassword2, next
password: Sha256Hash1 | Other
WIFI:T:WPA;S:home;P:<password>;;
next_page_token = "CAUQAA1234abcd5678"
publicKey: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1"
sort_key = "a1b2c3d4e5f6"
id: 018f2c1e-7b1a-7c3d-8e4f-0123456789ab
commit 3f786850e387550fdab836ed7e6dc881de23001b
sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
integrity: sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
http://localhost:3000/@vite/client
https://example.org:8080/path@x
https://registry.npmjs.org/@types/node
git@github.com:acme/repository-with-a-long-name-1.git
mailto:someone@example.org
postgres://\${USER}:\${PASSWORD}@localhost/db
postgres://<user>:<password>@localhost/db
docker run -u 1000:1000 image
curl -u "$USER:$PASSWORD" https://example.org
if (password === "hunter2") {
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 me@host
KEY_ENTER = 13; KEY_F1 = 112
TOKEN_COUNT=4096
secretName: tls-secret-1
x-api-key: {{apiKey}}
eyJ is the beginning of a token
api_key: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
token: "****************"
DB_PASSWORD=$DB_PASSWORD
password: $this->password,
"password": "$config['password']"
the token is a word of thirty characters
access-control-allow-origin-header-value-1
test_that_a_function_with_a_long_name_returns_12345
private_identifiers_are_not_allowed_outside_class_bodies_18016
validated key 20261125T184012
| token | string | the token of a session |
| password | Sha256Hash | none |
type Key = token | Sha256Digest | Md5Digest
token: Promise<Token2> = load()
const className = styles.Button_primaryLabel2_hoverState3
import { Foo } from './my-component-NameOfAThing2TestId4Long'
integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6RK9GqQ8K/ux"
Release GPG key: F3EF5F62A87FC27A22E643F714CE4FF5015AA242
public key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1
<td>Password</td><td>required</td>
<label>Password</label><span>Passwort2</span>
パスワードは8文字以上です
パスワード：required
トークンはtoken.tsにある
密码是必填的
Passwort: erforderlich
echo "done1" | tee log.txt
the key is of no use, the token was read
The enclave is IntelSGX2Mode
enclave: Nitro2Enclave
l'enclave est Zone2Nord
La clave primaria es IdUsuario2
clave foránea: UsuarioId2Fk
palabra clave: Oferta2024Verano
La clave es Perseverancia2024
primary key - UserId2OrderId3Composite
public key - aB3dE6gH9jK2mN5pQ8sT1vW4yZ7
key - Ctrl+Shift+F12+AltGr+Num9
key - UserId2OrderId3Composite
getPartitionKey() { return "GSI1PK#User" }
cacheKey() { return "Users:v2:list" }
foreignKey() { return "User2Id" }
getRouteKeyName() { return 'Md5Hash' }
getTokenUri() { return "/oauth2/Token?x=1" }
tokenUrl() { return "https://Login2.example.com/a?b" }
getKeyName() { return "OAuth2ClientId" }
getTokenType() { return "Bearer2Type!" }
::set-output name=cache-key::Linux-Node20-abc123
##vso[task.setvariable variable=cacheKey]Linux-Node20-abc1
$client->connect('h', 25, 'Timeout30s')
signal->connect("clicked", handler, "OnClick2Button")
$redis->connect('10.0.0.1', 6379, 'Unix2Sock')
use Http2Server! as the password service
We store sha-256$salt as password hash
We treat Http2Server! as password store
upgrade password manager from KeePass2.1! to Bitwarden@2024
changed password hashing from SHA256!a to Argon2id@v19
password: migrate from MySQL57 to PostgreSQL14!
login: admin / bob7@example.com
vncviewer -p passwd2file x
monkey: banana12, turkey: 1999
keyboard: qwerty12, hotkey: ctrl+shift+1
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
`
  .trim()
  .split('\n');

describe('what is no secret', () => {
  it.each(HARMLESS)('stays: %s', (line) => {
    for (const text of [line, `  ${line}\n`, `+${line}`, JSON.stringify({ line })]) {
      expect(redact(text)).toEqual({ text, redactions: [] });
    }
  });

  it.each([
    ['use Adm1n!23x', ' as the password, please\n'],
    ['token: defaultToConfig2,\n', '  timeout: defaultToConfig2,\n'],
    ['SMTP_PASSWORD=ops@acme2.com\n', 'Write to ops@acme2.com if it fails.'],
    ['password: P@ssw0rd\n', 'The classic P@ssw0rd is weak'],
    ['password=iPhone15Pro\n', 'I bought an iPhone15Pro today.'],
    ['password=Windows11!\n', 'Windows11! is out'],
    ['password: 12345678-abcd-4321-abcd-1234567890ab\n', '12345678-abcd-4321-abcd-1234567890ab'],
    ['credentials = ["S3cr3t!xQ9', '", "PostgreSQL14", "db01Prod"]'],
    ['password = ("S3cr3t!xQ9', '", "Description2Text", "Section3Title")'],
    ['passwords:\n- S3cr3t!xQ9\n', '- MacBookPro16\n- Note2Self\n'],
    ['secrets: [\n  "S3cr3t!xQ9', '",\n  "DescriptionOf2ndItem"\n]'],
  ])('finds %j, and leaves words after it: %j', (before, after) => {
    const { text } = redact(before + after);
    expect(text).not.toContain(before);
    expect(text.endsWith(after)).toBe(true);
  });
});
