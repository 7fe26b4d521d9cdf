"""Another set of harmless texts that name secrets, written apart from the rules.

It was measured once before anything was mended for it (docs/decisions/0017).
"""

# ruff: noqa: E501 - a list is a line, in many scripts

TEXTS = r"""
bump token TTL to 30 minutes
increase password length limit to 128
drop support for basic auth tokens
validate token audience and issuer
log token ids instead of tokens
clean up secrets after the test run
mask secrets in CI logs
do not print the api key
document how to create an api key
support multiple api keys per project
api keys can be revoked from the dashboard
switch from password login to passkeys
migrate passwords from md5 to argon2id
rename secret to credential in the docs
split token parsing out of the lexer
the tokenizer drops the last token
each token maps to one embedding
this token is consumed by the parser
the token stream is buffered
the first token decides the branch
token budget exceeded
we hit the token limit again
context window is 200k tokens
prompt tokens and completion tokens are billed separately
the secret manager caches values for an hour
the secret rotation job failed
a secret named db-creds already exists
secret not found
no such secret
could not decrypt secret
permission denied on secret
the pin layout changed in rev B
solder the pin to the pad
pin 7 is ground
pin numpy below 2
pin GitHub actions by sha
unpin the message
remember to pin your versions
typo in passwrod field
password strength: weak
password confirmation does not match
password: must contain at least one digit
passwords do not match
wrong username or password
username or password is incorrect
invalid username/password
Incorrect PIN
PIN must be 4 digits
PIN is locked after three attempts
ask for the PIN before paying
the password reset mail goes to spam
users complain that the password reset is slow
when the password changes, sessions are revoked
if the password is older than 90 days, force a reset
the password column is nullable
the password hash is compared in constant time
the password prompt blocks the terminal
we store no passwords
passwords live in the keychain
the passphrase protects the key
the passphrase unlocks the keyring
passphrase is asked once per session
enter passphrase for key
your credentials have been rotated
credentials expired, please log in again
the credentials file is world readable
credential helper is not configured
AWS credentials come from the instance profile
set up credentials as described in the wiki
use your own credentials for local runs
the default credentials are documented in the README
the access token is stored in memory only
the refresh token is sent as a cookie
access token lifetime is one hour
bearer token authentication
missing bearer token
csrf token mismatch
session token rotation on login
idempotency token is required
the pagination token is opaque to clients
password = request.form["password"]
password = self.cleaned_data.get("password")
password = config.get("db", "password")
password, _ = split_auth(header)
user, password = auth.split(":", 1)
passwords = [u.password for u in users]
for password in passwords:
while token := next(stream, None):
match token:
case Token(kind="plus"):
if token.kind is Kind.STRING:
token_id = uuid4()
token_urlsafe = secrets.token_urlsafe
password_hash = hasher.hash(password)
hashed_password = bcrypt.hashpw(password.encode(), salt)
if not verify_password(password, user.hashed_password):
raise AuthError("invalid token")
raise HTTPException(401, "token expired")
logger.info("token refreshed for %s", user)
print("password changed")
console.log("token:", token)
console.log(`token: ${token}`)
fmt.Println("password:", password)
echo "Password: "
read -s -p "Password: " PASSWORD
read -rsp 'Token: ' token
TOKEN="$(gh auth token)"
export GITHUB_TOKEN="$(cat /run/secrets/gh)"
GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
token: ${{ github.token }}
with:\n  token: ${{ secrets.PAT }}
env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: db\n        key: password
password: !Ref DbPassword
password: !secret wifi_password
password = var.db_password
password = data.vault_generic_secret.db.data["password"]
token = module.auth.token
sensitive = true
secret_key = get_random_secret_key()
SECRET_KEY = env("SECRET_KEY")
SECRET_KEY = config("SECRET_KEY", default="")
const token: string | undefined = undefined;
const secret = new Uint8Array(32);
let password: string;
readonly token: string;
token!: string;
password: z.string().min(8),
password: Joi.string().required(),
password: yup.string().required("Password is required"),
password: { type: String, required: true },
token: { type: DataTypes.STRING, unique: true },
password: faker.internet.password(),
password: hashedPassword,
token: accessToken,
apiKey: this.configService.get("API_KEY"),
headers: { "X-Api-Key": apiKey }
"Authorization": "Bearer " + token
request.headers["Authorization"] = "Bearer " + token
req.setRequestHeader("Authorization", "Basic " + btoa(user + ":" + password));
cy.get("#password").type(password)
await page.fill("#password", password);
driver.find_element(By.ID, "password").send_keys(password)
<input type="password" id="password" autocomplete="current-password">
<input name="token" type="hidden" value="{{ token }}">
<p>Forgot your password?</p>
<h2>Password</h2>
<a href="/password/reset">Reset password</a>
<dt>Token</dt><dd>an opaque string</dd>
<td>Password</td><td>required</td>
"errors": {"password": ["This field is required."]}
{"error": "invalid_token", "error_description": "The token expired"}
{"password": null}
{"token": "", "secret": null}
{"properties": {"token": {"type": "string", "description": "API token"}}}
"password": "string",
"token": "<string>",
"apiKey": "${API_KEY}",
"scripts": {"token": "node scripts/token.js"}
"secrets": ["db_password", "api_key"]
["username", "password", "email"]
fields = ("username", "password")
columns: id, name, password, created_at
CREATE TABLE users (id int, password text);
password TEXT NOT NULL,
ALTER TABLE users DROP COLUMN password;
ALTER TABLE users RENAME COLUMN passwd TO password_hash;
COMMENT ON COLUMN users.password IS 'bcrypt hash';
GRANT SELECT ON tokens TO app;
SELECT count(*) FROM tokens WHERE expired
CREATE INDEX ON tokens (token)
IDENTIFIED BY :password
CREATE USER app PASSWORD :'pw'
curl -u user https://h
curl --user $USER:$TOKEN https://h
curl https://h?token=$TOKEN
https://h/login?token={token}
https://$USER:$PASS@h/x
https://user:${TOKEN}@github.com/o/r
mysql -u root -p < dump.sql
mysqldump -u root -p app > dump.sql
psql -U app -h db
ssh-keygen -t ed25519 -N "" -f id
openssl passwd -6
htpasswd -c .htpasswd bob
vault kv put secret/app @data.json
docker secret create db_password ./password.txt
pass insert mail/work
passwd -l bob
chage -d 0 bob
sudo -k
kinit bob
gpg --passphrase-fd 0
--password-stdin
--no-password
--ask-pass
--token-ttl 30m
lib/password_policy.rb
tests/test_tokens.py::test_refresh
app/models/api_key.rb
branch feat/api-key-scopes
refs/heads/secret-scanning
packages/token-bucket/index.js
Closes #42: password reset
| Variable | Purpose |\n|---|---|\n| TOKEN | access to the API |
| Secret | Where it is used |\n|---|---|\n| DB_PASSWORD | app |
| Option | Default |\n|---|---|\n| password | none |
| name | type |\n|---|---|\n| token | string |
| Key | Action |\n|---|---|\n| Ctrl+P | palette |
name,type,required\npassword,string,true
token,count\nthe,120\nof,80
#### Password\nThe password of the account.
Password\nConfirm password
Password:\n\nThe password is asked for twice.
Tokens:\n- access\n- refresh
Secrets:\n- never commit them
token:\n  type: apiKey\n  in: header
secret:\n  secretName: my-app-tls
:param token: bearer token or None
:type password: str
@param token the token to revoke
@return the password hash
password -- the password to check
token - access token
--token TOKEN  access token
--password PASSWORD  password for the user
-p, --password  ask for the password
das Passwort fehlt
das Passwort wird beim Start abgefragt
das Passwort ist jetzt im Tresor
das Passwort liegt im Schlüsselbund
das Passwort darf nicht leer sein
das alte Passwort stimmt nicht
Passwörter werden nie geloggt
ein neues Passwort wird per Mail verschickt
Passwort ist nicht mehr gültig
Kennwort: bitte eingeben
Zugangsdaten: im Wiki
Zugangsdaten bitte beim Admin erfragen
der Token ist nur eine Stunde gültig
der Token wurde widerrufen
das Token ist leer
die PIN ist falsch
PIN eingeben
la contraseña es la misma en todos los entornos
la contraseña es visible en el log
la contraseña se envía por correo
la contraseña fue cambiada ayer
la contraseña está mal escrita
contraseña: debe contener un número
la contraseña es privada
el token es válido durante una hora
el token está caducado
le mot de passe est visible dans les logs
le mot de passe est envoyé par mail
le mot de passe est le même partout
le mot de passe a été modifié
le mot de passe ne doit pas être vide
mot de passe : facultatif
le mot de passe est faible
le jeton est valable une heure
a senha é visível no log
a senha é a mesma em todos os ambientes
a senha foi enviada por e-mail
a senha não pode ficar vazia
senha: opcional
a senha é fraca
o token expirou
het wachtwoord is zichtbaar in de log
het wachtwoord is gewijzigd
het wachtwoord is zwak
het wachtwoord wordt gemaild
wachtwoord: optioneel
het wachtwoord mag niet leeg zijn
hasło jest widoczne w logach
hasło jest słabe
hasło jest przechowywane w sejfie
hasło nie może być puste
hasło: opcjonalne
nieprawidłowe hasło
heslo je vidět v logu
heslo je slabé
heslo je uložené v trezoru
heslo nesmí být prázdné
heslo: nepovinné
špatné heslo
lösenordet är svagt
lösenordet syns i loggen
lösenordet är detsamma överallt
lösenordet får inte vara tomt
lösenord: valfritt
fel lösenord
la password è visibile nei log
la password è la stessa ovunque
la password è debole
la password viene inviata per email
password: facoltativa
la password non può essere vuota
parola zayıf
parola eşleşmiyor
parola görünür durumda
parola süresi doldu
parola: isteğe bağlı
yanlış parola
parola este vizibilă în log
parola este slabă
parola nu poate fi goală
parola: opțională
parolă greșită
пароль виден в логах
пароль слабый
пароль не может быть пустым
пароль совпадает со старым
пароль: необязательно
неправильный пароль
пароль — это секрет
пароль был сброшен вчера
密码会被记录到日志
密码太弱
密码是否正确
密码与用户名相同
密码：可选
密码是通过邮件发送的
旧密码错误
密码已修改
パスワードがログに出ています
パスワードは弱いです
パスワードが一致しません
パスワード：任意
パスワードは暗号化して保存します
古いパスワードが違います
パスワードを変更しました
パスワードは毎月変更してください
비밀번호가 로그에 보입니다
비밀번호가 약합니다
비밀번호는 선택 사항입니다
비밀번호: 선택
비밀번호를 변경했습니다
이전 비밀번호가 다릅니다
비밀번호는 매달 바꾸세요
""".strip().splitlines()

HARMLESS = tuple(text.replace(r"\n", "\n") for text in TEXTS)
