import { redact } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { fillForm, numbersOf } from '../../support/fill-form.ts';

/** Lines of configurations, commands and statements with a secret between « and », as forms of `SECRET_FORMS`. */
const FORMS: readonly string[] = [
  // YAML, TOML, HCL, PowerShell: tags, anchors, blocks, and values of fields.
  'api_token: !!str >-\n  «{a32}»\n',
  'password: !!str «{a12}1»\n',
  'password: &pw «{a12}1»\nother: *pw\n',
  'password: &dbpw "«{a12}!»"\n',
  "password: '«{a6}''{a6}1»'\n",
  // The second quote is one around it.
  "bash -c 'export API_KEY='«{h32}»''",
  "print('API_KEY='«{h32}»'')",
  "API_KEY='«{h32}»'''\nnext",
  "{'api_key':'«{h32}»'',",
  "API_KEY='«{h32}»''rest'",
  "password='«{a12}1»''and more'",
  'variables:\n  DEPLOY_TOKEN:\n    value: "«{a24}»"\n    description: x\n',
  '"outputs": {\n    "db_password": {\n      "value": "«{a14}1»",\n      "type": "string"\n    }',
  '- value: «{a12}1»\n  name: DB_PASSWORD\n',
  'token = """\n«{a32}»"""\n',
  'password = <<EOF\n«{a12}1»\nEOF\n',
  '$secret = @"\n«{a32}»\n"@',
  '$secret = [System.Text.Encoding]::UTF8.GetBytes("«{a32}»")',
  '      ~ password = "old1" -> "«{a14}1»"\n',
  'Set-Item -Path Env:API_TOKEN -Value «{a32}»',
  "Set-Item Env:DB_PASSWORD '«{a12}!»'",
  // Kubernetes and cloud-init.
  'apiVersion: v1\nitems:\n- kind: Secret\n  data:\n    redis-pw: «{b22}==»\n    b: «{b30}»\n',
  '{"apiVersion":"v1","data":{"pg.conf":"«{b40}»"},"kind":"Secret"}',
  'kind: Secret\nstringData:\n  settings: «{a12}1»\n',
  'items:\n- data:\n    a: «{b22}==»\n  kind: Secret\n- data:\n    mode: x\n  kind: ConfigMap\n',
  '  - apiVersion: v1\n    kind: "Secret"\n    data: {a: «{b22}==»}\n',
  '{"items":[{"kind":"ConfigMap"},{"data":{"a":"«{b40}»"},"kind":"Secret"},{"kind": "Secret", "data": {"b": "«{b40}»"}}]}',
  '<pre>kind: Secret\nstringData:\n  settings: «{a12}1»\n</pre>',
  '- {kind: Secret, stringData: {settings: «{a12}1»}}\n',
  'chpasswd:\n  list: |\n    root:«{a12}1»\n    ubuntu:«{a12}2»\n  expire: false\n',
  'chpasswd <<EOF\nroot:«{a12}1»\nbob:«{a12}2»\nEOF\n',
  // Commands.
  'RUN htpasswd -bc /etc/nginx/.htpasswd admin «{a12}1»\n',
  'htpasswd -nbB -C 12 admin «{a12}1»\n',
  'net use \\\\srv\\share «{a12}!» /user:CORP\\bob\r\n',
  'schtasks /create /tn x /ru bob /rp «{a12}!»\r\n',
  'psexec \\\\h -u bob -p «{a12}!» cmd\r\n',
  'reg add "HKLM\\x\\Winlogon" /v DefaultPassword /t REG_SZ /d «{a12}!» /f\r\n',
  'plink -ssh bob@h -pw «{a12}!» ls',
  'pscp.exe -pw «{a12}!» a.txt bob@h:/tmp',
  'rman target sys/«{a14}»@db',
  'curl -su me:«{a14}» https://x',
  'curl -sSfLu "me:«{a14}»" https://x',
  'curl -x http://p:3128 -U me:«{a14}» https://x',
  'curl -u "DOMAIN[x]\\me:«{a14}»" https://x',
  'curl -u user[1]:«{a14}» https://x',
  'curl -E cert.pem:«{a14}» https://x',
  'curl --cert ./c.p12:«{a14}» --cert-type P12 https://x',
  'user = "me:«{a14}1»"\nurl = "https://x"\n',
  'proxy-user="me:«{l8}a1»"\n',
  // Files of programs.
  'machine h\n\tlogin me\n\taccount x\n\tpassword «{a12}1»\n',
  'machine api.example password «{uuid}»\n',
  'machine api.example password «qwerty{d4}» login me\n',
  'machine h login me account x password «qwerty{d4}»\n',
  'machine h password «{a12}1»\n',
  'BUNDLE_GEMS__CORP__EXAMPLE: "me:«{a20}»"\n',
  '{"github-oauth":{"github.com":"«{h40}»"}}',
  '{"gitlab-token":{"gitlab.corp.example":"«{a20}1»"}}',
  'credentials {\n  username "ci"\n  password "«{a14}1»"\n}',
  'account x\nuser me\npassword «{a14}»\n',
  'IMAPAccount x\nUser me\nPass «{a14}»\n',
  '%any : PSK "«{a24}»"\nme : EAP "«{a14}1»"\n',
  '%any : PSK 0x«{h32}»\n%any : PSK 0s«{b40}»\n',
  '<auth-user-pass>\nme\n«{a14}»\n</auth-user-pass>\n',
  '-----BEGIN OpenVPN Static key V1-----\n«{h32}»\n«{h32}»\n-----END OpenVPN Static key V1-----\n',
  // Cookies.
  'Cookie: .AspNetCore.Identity.Application=«CfDJ8{w120}»',
  'Cookie: wordpress_logged_in_{h32}=«me%7C1790000000%7C{a43}%7C{h64}»',
  '.x.example\tTRUE\t/\tTRUE\t1790000000\tuser_session\t«{a48}»',
  '#HttpOnly_.x.example\tTRUE\t/\tFALSE\t1790000000\tsessionid\t«{l32}»',
  '{"name":"sessionid","value":"«{l32}»","httpOnly":true}',
  '{"domain":".x","name":"auth_token","path":"/","value":"«{h40}»"}',
  'https://x.example/?auth=«{a32}»',
  // Forms of a page, and CSV.
  'body=%7B%22client_secret%22%3A+%22«{w40}»%22%7D&x=1',
  'body=aws_secret_access_key+%3D+«{a40}»&x=1',
  '1,"{""client_secret"": ""«{a40}»""}",x',
  // Statements and calls.
  "INSERT INTO users (id, name, password) VALUES (1, 'bob', '«{a14}»');",
  "INSERT INTO users (name, api_key) VALUES ('a(', '«{h32}»'), ('b''c', '«{h32}»');",
  'COPY public.users (id, name, password) FROM stdin;\n1\tbob\t«{a14}»\n2\teve\t«{a14}»\n\\.\n',
  "SET PASSWORD FOR 'bob'@'%' = PASSWORD('«{a14}1»');",
  'CREATE USER bob IDENTIFIED BY «{a14}1» DEFAULT TABLESPACE x;',
  "EXEC sp_addlinkedsrvlogin 'srv', 'false', NULL, 'sa', '«{a14}1»'",
  "CREATE USER MAPPING FOR me SERVER s OPTIONS (user 'u', password '«{a14}»');",
  "ALTER CURRENT USER SET PASSWORD FROM '«{a14}1»' TO '«{a14}1»'",
  "pgp_sym_encrypt('x', '«{a24}1»')",
  'AUTH default «{a24}»\n',
  'ACL SETUSER bob on >«{a14}1» ~* +@all',
  'ACL SETUSER bob on >«{a14}1»\n',
  'user alice on >«{a14}1» ~* +@all\nuser bob on >«{a14}1» allkeys\n',
  'DriverManager.getConnection("jdbc:postgresql://h/db", "me", "«{a14}1»")',
  "new PDO('mysql:host=h;dbname=d', 'me', '«{a14}1»')",
  "mysqli_connect('localhost', 'root', '«{a14}1»', 'db')",
  "db.auth('bob', '«{a14}»')",
  // Tables.
  ' id | name | password\n----+------+---------\n  1 | bob  | «{a14}»\n  2 | eve  | «{a14}»\n(2 rows)\n',
  '+----+----------------+\n| id | password       |\n+----+----------------+\n|  1 | «{a14}» |\n+----+----------------+\n',
  '| user | password | role |\n|---|---|---|\n| bob | `«{a12}»` | admin |\n| eve | «{a12}» | x |\n',
  'name,api_key,owner\n"a, b",«{h32}»,x\nc,«{h32}»,y\n',
  'host\tuser\tpassword\nh\tu\t«{a12}»\n',
  "INSERT INTO people (name, pass) VALUES ('bob', '«{a14}»');",
  'ID,Pass\nbob,«{a12}»\neve,«qwerty{d6}»\n',
  'hostname;db_pass;note\nh;«{a12}»;x\n',
  'name,password\nbob,«{d8}»\neve,«Correct-Horse-{d4}»\n',
  '| service | token |\n|---|---|\n| a | «{uuid}» |\n| b | «{w24}1» |\n',
  // Sentences.
  'パスワードの値：«{a12}1»。',
  'パスワード（«{a12}1»）でログイン',
  'パスワード（«{a12}1»）をGitHub2に入力',
  'パスワード（初期）を«{a12}1»に変更しました',
  'パスワード（root）を «{a12}1» で設定',
  'トークン（本番）を«{a32}»に',
  '環境変数API_TOKENに«{a32}»を設定',
  '【ログイン情報】\nID　admin\nPASS　«{a12}1»\n',
  'Das Passwort lautet „«{a12}1»“',
  'كلمة المرور: «{a12}1»',
  'รหัสผ่าน: «{a12}1»',
  'סיסמה: «{a12}1»',
];

/** Texts that are nearly like them, and hold no secret. */
const HARMLESS: readonly string[] = [
  'password: !reference [.setup, password]\n',
  'password: *dbpw\n',
  'token: !Ref DeployToken\n',
  'password: !Ref MasterPassword2\n',
  'password: !secret wifi_password1\n',
  'password: !lookup pw_of_db1\n',
  'password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  62313365396662343061393464336163383764373764613633\n',
  'password: { type: string, default: "" }\n',
  '"token": {\n  "value": "string"\n}\n',
  '- value: debug1\n- name: DB_PASSWORD\n',
  'token = """\nThe token of version 2 is read here.\n"""\n',
  '"left" -> "Right22"',
  'kind: ConfigMap\ndata:\n  settings: aGVsbG8gd29ybGQ=\n',
  'kind: Secret\nmetadata:\n  name: database-credentials-1\n',
  '{"items":[{"kind":"ConfigMap","data":{"mode":"production","id":"aGVsbG8gd29ybGQx"}},{"kind":"Secret"}]}',
  'items:\n- data:\n    id: aGVsbG8gd29ybGQx\n  kind: ConfigMap\n- kind: Secret\n- data:\n    id: aGVsbG8gd29ybGQx\n',
  'kind: Secret\ndata:\n  mode: production\n',
  'We use kind: Secret in docs. The data:\n  name: aGVsbG8gd29ybGQx\n',
  'これは kind: Secret です。data:\n  name: aGVsbG8gd29ybGQx\n',
  'htpasswd -c /etc/nginx/.htpasswd admin1\n',
  'reg add HKCU\\Software\\x /v Version /d v1.2.3 /f',
  'curl -sSL https://example.org/install.sh -o user:group2',
  'curl -u $([Convert]::ToBase64String) https://x',
  'services:\n  app:\n    user: "1000:1000"\n',
  'user: "node:1001"\n',
  'user: "appuser:appgroup1"\n',
  'user = "http:8080"\n',
  'user="1000:1000"\n',
  'password manager2 is asked for',
  'The password Version2 was changed, the pass Alpine42x is closed.',
  'machine learning Model2024 password policy2',
  'machine api password settings2',
  'the state machine api password Settings2 are read',
  'the account admin password settings2',
  'Wi-Fi: PSK support22',
  'value: 2024-01-01, name: token_expiry_key',
  'value: 2024-01-01T00:00:00Z, name: token_expiry_key',
  'the user clicked on >Settings2',
  'user clicked on >Settings2 + more',
  'the user turned on >50ms',
  'auth optional pam_Group1.so\nauth required pam_Unix2.so nullok\n',
  'Auth OAuth2\nauth Settings22 is read\n',
  '.x.example\tTRUE\t/\tTRUE\t1790000000\ttheme\tdark-mode-is-on-1',
  '{"name":"session","value":"the-first-session-of-2026"}',
  "INSERT INTO users (name, password) VALUES ('bob', $2), ('eve', ?);",
  "INSERT INTO docs (id, token) VALUES (1, 'getTheTokenOfThisUser');",
  'COPY users (name, password) FROM stdin;\nbob\t\\N\n\\.\n',
  'client.login(user, password1)',
  "connect('localhost', 'root', 'mydatabase')",
  'mysqli_connect("localhost", $user, $password)',
  '| Method | Password |\n|---|---|\n| POST | SHA256 |\n| GET | OAuth2.0 |\n| PUT | required |\n',
  '| token | count |\n|---|---|\n| the | 1200345 |\n',
  'name,token\nlexer,IDENTIFIER_2\n',
  '| Test | Pass | Fail |\n|---|---|---|\n| a | 1234567 | 20250101 |\n',
  'Host,Pass,Failed\nweb1,test42a,0\n',
  'Student,Pass,Year\nbob,20250101,2025\n',
  'Student,Season Pass\nbob,gold2025\n',
  'Site,Bypass\nx,route2025\n',
  'User,Pass\nbob,1234567\n',
  'name,token,balance\nDAI,0x5290a1b2c3d4e5f60718293a4b5c6d7e8f901234,12\n',
  '| Model | Token |\n|---|---|\n| x | claude-3-5-sonnet-20241022 |\n| y | gpt-4o-mini-2024-07-18 |\n| z | Llama-3.3-70B-Instruct |\n',
  'name,secret\ndb,projects/12345/secrets/db-pw/versions/3\ny,arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-a1B2c3\n',
  "    'user',\n    'password',\n    'sodium_crypto_sign_ed25519_pk',\n    'TF2_StunPlayer',\n",
  'const [user, password] = args;\nconst a = b2, c = Value22;\n',
  'パスワードの長さ：12文字',
  'パスワード（8文字以上）を入力',
  'API_TOKENに値を設定',
  'UNRESERVED_PAT = r"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._!\\-~"',
];

describe('redaction of configurations', () => {
  it.each(FORMS)('finds the secrets of %j', (form) => {
    for (let seed = 0; seed < 20; seed++) {
      const { text, secrets } = fillForm(form, numbersOf(seed * 977 + 13));
      for (const given of [text, JSON.stringify({ out: `one\n${text}\ntwo` })]) {
        const { text: clean } = redact(given);
        for (const secret of secrets) expect(clean).not.toContain(secret);
        expect(redact(clean).text).toBe(clean);
      }
    }
  });

  it.each(HARMLESS)('leaves %j', (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });

  it('takes time in line with the rows of headings', () => {
    // Each line is a heading and a row: the table is read once.
    const { redactions } = redact('user,password\n'.repeat(50_000));
    expect(redactions).toEqual([]);
    const manifests = redact('kind: Secret\ndata:\n  a: aGVsbG8gd29ybGQx\n'.repeat(5000));
    expect(manifests.redactions.length).toBeGreaterThan(0);
  });
});
