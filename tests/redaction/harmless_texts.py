"""Everyday sentences and code that name a secret and hold none."""

CODE = r"""
password: str
password: string;
password: str | None = None
password: Optional[str] = None
password?: string
passwd: &str,
token: String,
secret: bytes
token = get_token()
token = await get_token()
token = await this.auth.getToken(user)
const token = jwt.sign(payload, process.env.JWT_SECRET);
let token = req.headers.authorization.split(" ")[1]
password = getpass.getpass("Password: ")
password = input("Enter password: ")
password=os.environ["DB_PASSWORD"]
password = os.environ.get("DB_PASSWORD")
api_key = os.getenv("OPENAI_API_KEY")
api_key=settings.OPENAI_API_KEY
apiKey: process.env.API_KEY,
apiKey: ${{ secrets.API_KEY }}
API_KEY=$API_KEY
TOKEN=$(vault kv get -field=token secret/app)
export TOKEN=$(cat token.txt)
password: ${DB_PASSWORD}
password: "{{ vault_db_password }}"
password: !vault |
password: <your-password>
password=<password>
PASSWORD=your_password_here
API_KEY=your-api-key
api_key="YOUR_API_KEY"
token: "..."
password: ********
password: xxxxx
password = None
password = ""
password=''
secret=None
token: null
token = undefined
if password == None:
if password is None:
if not token:
if (!token) return;
if (password !== confirmPassword) {
if user.password != password:
assert token is not None
return token
return password
raise ValueError("password required")
self.password = password
this.token = token;
self._token = token or self._load()
password = user.password
token = data["token"]
token = response.json()["access_token"]
user.set_password(form.password)
user.setPassword(password)
passwordField.setText(value)
hashPassword(password)
check_password(password, user.password_hash)
bcrypt.compare(password, user.password)
def login(username, password):
def login(username: str, password: str) -> Token:
function login(user, password) {
login(username=username, password=password)
connect(host=host, user=user, password=pwd)
client = Client(token=token, timeout=5)
fn verify(password: &str, hash: &str) -> bool {
public void setPassword(String password) {
private String password;
String password = request.getParameter("password");
var password = document.getElementById("password").value;
func Login(user, password string) error {
type Config struct { Password string `json:"password"` }
Password string `yaml:"password"`
@Column(name = "password")
password = models.CharField(max_length=128)
password: Mapped[str] = mapped_column(String(128))
password = Column(String(255), nullable=False)
password = forms.CharField(widget=forms.PasswordInput)
password VARCHAR(255) NOT NULL
ALTER TABLE users ADD COLUMN password TEXT
SELECT id, password FROM users WHERE email = ?
UPDATE users SET password = $1 WHERE id = $2
UPDATE users SET password = ? WHERE id = ?
INSERT INTO users (name, password) VALUES (?, ?)
INSERT INTO users (name, password) VALUES (%s, %s)
WHERE token = :token
"password": {"type": "string"}
"password": {"type": "string", "minLength": 8},
{"type": "password", "name": "password"}
type: password
<input type="password" name="password">
<input type="password" placeholder="Password" required>
<label for="password">Password</label>
<Input type="password" value={password} onChange={onChange} />
<TextField label="Password" />
"password": "Password",
"password": "Passwort",
"password": "Mot de passe",
"password_label": "Your password",
"forgot_password": "Forgot your password?",
"password": "Please enter your password",
"password": "Password must be at least 8 characters",
'password' => 'required|min:8',
'password' => Hash::make($request->password),
validates :password, presence: true
has_secure_password
params.require(:user).permit(:email, :password)
import secrets
from django.contrib.auth.tokens import default_token_generator
import { Token } from "./token"
from .token import Token
use crate::token::Token;
secrets.token_hex(16)
token = secrets.token_urlsafe(32)
secretName: my-app
secretKeyRef:
        name: db-credentials
        key: password
imagePullSecrets:
secrets: inherit
secret: true
max_tokens=4096
max_tokens: 4096
token_count: 5
tokens: 1200
total_tokens = prompt_tokens + completion_tokens
num_tokens = len(tokens)
tokenizer = AutoTokenizer.from_pretrained("gpt2")
token_type: bearer
"token_type": "bearer"
grant_type=password
eos_token = "</s>"
pad_token="<pad>"
next_token = tokens[i + 1]
csrf_token: {{ csrf_token() }}
{% csrf_token %}
pinned: true
pin = GPIO.PWM(18, 50)
ping: 20 ms
LED_PIN = 13
#define LED_PIN 13
digitalWrite(ledPin, HIGH);
Authorization: Bearer $TOKEN
Authorization: Bearer <token>
headers = {"Authorization": f"Bearer {token}"}
headers: { Authorization: `Bearer ${token}` }
curl -H "Authorization: Bearer $TOKEN" https://api.example.com
curl -u "$USER:$PASS" https://h
docker login -u $USER --password-stdin
gh auth login --with-token < token.txt
mysql -u root -p
psql -U app -W
git config credential.helper store
credential.helper=store
credentials: 'include'
withCredentials: true
const [password, setPassword] = useState("");
const { username, password } = req.body;
const { data: token } = useToken();
export interface Credentials { username: string; password: string }
enum TokenKind { Plus, Minus }
case Token.PLUS:
token.type == TokenType.IDENT
while (token != EOF)
expect(token).toBe(true)
expect(res.body.token).toBeDefined()
it("rejects a wrong password", async () => {
describe("token refresh", () => {
def test_password_reset(self):
src/auth/password_reset.py
src/auth/token-refresh.ts:42
fix/token-refresh
feature/password-strength-meter
docs/secrets-management.md
https://example.com/reset-password
https://example.com/docs/api-keys#rotation
GET /api/v1/tokens 200
POST /auth/token 401
DELETE /api/tokens/:id
/etc/passwd
cat /etc/passwd | grep root
~/.ssh/id_rsa
--password-file /run/secrets/db
--token-file ./token
PasswordAuthentication no
PermitRootLogin prohibit-password
kubectl get secret my-app -o yaml
kubectl create secret generic my-app
aws secretsmanager get-secret-value --secret-id prod/db
vault kv get secret/app
op read op://vault/item/password
ansible-vault encrypt secrets.yml
gcloud auth print-access-token
npm token list
git-crypt unlock
passwd bob
sudo passwd root
keytool -list -keystore k.jks
| password | string | The password |
| token | string | yes | The access token |
| `password` | `str` | required |
| Token | Description |\n|---|---|\n| PLUS | plus sign |\n| IDENT | a name |
| Field | Type |\n|---|---|\n| password | text |
user,role\nbob,admin
username\npassword\nemail
- password: required
- token: optional
password:\n  type: string\n  minLength: 8
token:\n  description: the token to use
credentials:\n  username: ${USER}\n  password: ${PASS}
Args:\n    password: The password of the user.\n    token: The token to use.
:param password: the password
:param token: access token, if any
@param password the user's password
@param {string} token - The token
Parameters\n----------\npassword : str\n    The password.
token (str): The token to check.
password (optional)
password (str, optional): hidden by default
""".strip().splitlines()

ENGLISH = """
the token bucket refills
the token bucket refills every second
password field is required
reset password flow
reset the password flow to its defaults
secret santa
pin the version
pin the dependency to 2.1
pinned to the top
key takeaways
the key takeaway is simplicity
api key rotation is documented
the password is wrong
the password is correct
the password was incorrect
the password is required
the password is stored hashed
the password is hashed with bcrypt
the password is too short
the password is never logged
the password is read from the environment
the password is in the vault
the password is sent in plain text
the password is the same for all tests
the password is empty
the password is not set
the password is case-sensitive
the password is at least 8 characters long
the password was leaked last week
the password was changed yesterday
the password has expired
the password must contain a digit
the password should be rotated
the password can be reset by mail
the password for the database is stored in Vault
the password for bob is wrong
your password is weak
my password is expired
password policy
password policy: at least 12 characters
password: at least 12 characters
password: required
password: must not be empty
Password: the user types it twice
Passwords are hashed with argon2
passwords never leave the server
enter your password
enter the password again
forgot password link
change password dialog
use a password manager
use the password reset endpoint
use password authentication
with password authentication disabled
login with password and second factor
add password strength meter
add password hashing
add token refresh
add token validation to the middleware
add api key support
remove password from logs
remove hardcoded password from config
move the password to the environment
move the secret from the config to the vault
set the password to match the policy
set the token to expire after an hour
changed the password from plaintext to a hash
changed the token from opaque to JWT
rotate the secrets every month
rotate staging credentials
store the token in the keyring
the token is valid for one hour
the token is invalid
the token is expired
the token is opaque
the token is a JWT
the token is refreshed automatically
the token is passed in a header
the token was revoked
token expired
token: expired
invalid token
Unexpected token
Unexpected token } in JSON at position 4
SyntaxError: Unexpected token '<'
unexpected token "foo"
expected token: identifier
tokens per second
the tokens are counted
the secret is out
the secret is rotated monthly
the secret is missing
the secret to good tests is isolation
the secret of success
it's no secret that tests help
the api key is missing
the api key is read from the environment
the API key is invalid or expired
api key: see the wiki
credentials are read from the environment
credentials: none needed
the credentials are wrong
log in with your credentials
log in with Google or GitHub
log in as admin / editor / viewer
login page and signup page
sign in with email and password
sign in with SSO
login with OAuth / SAML
the login is broken
use JWT as the token format
use argon2 as the password hash
use bcrypt as the password hasher
the pin is wrong
the pin is connected to ground
set the pin to high
enter the PIN on the device
PIN code entry screen
map-pin icon
safety pin
fix: reset password link expires too early
feat: add password reset
feat(auth): refresh token rotation
fix(token): handle expired token
chore: rotate api keys
refactor: extract token parser
docs: explain secret scanning
test: cover wrong password
ci: use GITHUB_TOKEN for releases
Fix password validation on the login form
Rename token to access_token
Rename password to passphrase
Replace token by session
password -> passphrase
credentials/password handling
username/password login
user/password combination
the user's password and token
a strong password is long
two-factor tokens and passwords
"password" is a required property
the `password` field
the `token` parameter is optional
set `password` to the value of `DB_PASSWORD`
`password` is deprecated, use `passphrase`
Is the password still needed?
What is the password policy?
Which token is used here?
no password is needed for local development
there is no password
ask Anna for the password
the password manager is 1Password
the password input is focused
the password prompt appears twice
the password file is missing
password-protected zip
passwordless login
password-less sign-in
a one-time password is sent by SMS
the design token is called primary
token-based authentication
the cancellation token is passed on
lexer token kinds
the parser skips the next token
secret sharing scheme
top secret
Secrets are stored in Vault
Secret scanning is on
The "secret" is never printed
all tests pass
tests pass: 12 of 12
pass: 12, fail: 0
pass the token to the client
pass the password through stdin
bypass the password check
he said the password is fine now
the password is hidden behind the eye icon
the password is asked for on every start
the password is validated on the server
the password is optional in dev
the password is generated on first boot
the password is supplied by the operator
the password is encrypted at rest
the password is longer than 72 bytes
the password is being changed
the password is currently ignored
the password is compared in constant time
the password is already taken
""".strip().splitlines()

OTHERS = {
    "de": """
das Passwort ist falsch
das Passwort ist korrekt
das Passwort ist abgelaufen
das Passwort ist zu kurz
das Passwort ist leer
das Passwort wird gehasht
das Passwort wird verschlüsselt gespeichert
das Passwort ist erforderlich
das Passwort wurde geändert
das Passwort muss mindestens 8 Zeichen lang sein
das Passwort steht im Tresor
das Passwort war noch das alte
das Passwort ist nicht gesetzt
Passwort: mindestens 8 Zeichen
Passwort: erforderlich
Passwort vergessen?
Passwort zurücksetzen
Passwort ändern
Kennwort ungültig
bitte Passwort eingeben
das Kennwort ist unsicher
die Zugangsdaten sind falsch
Zugangsdaten: siehe Wiki
die Zugangsdaten liegen im Tresor
Zugangsdaten werden aus der Umgebung gelesen
der Token ist abgelaufen
der API-Schlüssel fehlt
das Geheimnis ist gelüftet
fix: Passwort-Formular prüft die Länge
Passwortrichtlinie verschärft
mit Passwort und zweitem Faktor anmelden
ohne Passwort anmelden
""",
    "es": """
la contraseña es incorrecta
la contraseña es correcta
la contraseña es obligatoria
la contraseña es demasiado corta
la contraseña no es válida
la contraseña ha caducado
la contraseña está vacía
la contraseña se guarda cifrada
la contraseña debe tener al menos 8 caracteres
la contraseña es segura
la contraseña era débil
contraseña olvidada
contraseña: obligatoria
contraseña: mínimo 8 caracteres
restablecer la contraseña
cambiar la contraseña del usuario
introduce tu contraseña
el token ha expirado
el token es inválido
las credenciales son incorrectas
la clave de acceso es necesaria
""",
    "fr": """
le mot de passe est incorrect
le mot de passe est correct
le mot de passe est obligatoire
le mot de passe est trop court
le mot de passe est vide
le mot de passe est expiré
le mot de passe est haché avec bcrypt
le mot de passe est stocké dans le coffre
le mot de passe doit contenir 8 caractères
le mot de passe n'est pas valide
mot de passe oublié ?
mot de passe : obligatoire
mot de passe : au moins 8 caractères
réinitialiser le mot de passe
changer le mot de passe
saisissez votre mot de passe
le jeton est expiré
les identifiants sont incorrects
""",
    "pt": """
a senha está incorreta
a senha é inválida
a senha é obrigatória
a senha é muito curta
a senha expirou
a senha é armazenada com hash
a senha deve ter pelo menos 8 caracteres
a senha foi alterada
senha: obrigatória
senha: mínimo de 8 caracteres
esqueceu a senha?
redefinir a senha
digite sua senha
o token é inválido
as credenciais estão erradas
""",
    "nl": """
het wachtwoord is onjuist
het wachtwoord is verlopen
het wachtwoord is verplicht
het wachtwoord is te kort
het wachtwoord is leeg
het wachtwoord wordt gehasht
het wachtwoord moet minstens 8 tekens hebben
wachtwoord: verplicht
wachtwoord vergeten?
wachtwoord wijzigen
voer je wachtwoord in
het token is ongeldig
""",
    "pl": """
hasło jest nieprawidłowe
hasło jest za krótkie
hasło jest wymagane
hasło jest puste
hasło wygasło
hasło jest zaszyfrowane
hasło zostało zmienione
hasło musi mieć co najmniej 8 znaków
hasło: wymagane
hasło: minimum 8 znaków
zapomniane hasło
zmień hasło
podaj hasło
token jest nieważny
""",
    "cs": """
heslo je nesprávné
heslo je špatné
heslo je příliš krátké
heslo je povinné
heslo je prázdné
heslo vypršelo
heslo bylo změněno
heslo je zašifrované
heslo musí mít alespoň 8 znaků
heslo: povinné
zapomenuté heslo
změnit heslo
zadejte heslo
token je neplatný
""",
    "sv": """
lösenordet är fel
lösenordet är felaktigt
lösenordet är för kort
lösenordet krävs
lösenordet är tomt
lösenordet har gått ut
lösenordet är krypterat
lösenordet måste ha minst 8 tecken
lösenord: obligatoriskt
glömt lösenord?
byt lösenord
ange ditt lösenord
token är ogiltig
""",
    "it": """
la password è errata
la password è corretta
la password è obbligatoria
la password è troppo corta
la password è scaduta
la password è vuota
la password è stata cambiata
la password è salvata in forma cifrata
la password deve avere almeno 8 caratteri
la password non è valida
password: obbligatoria
password dimenticata?
cambiare la password
inserisci la tua password
una parola chiave
il token è scaduto
le credenziali sono errate
""",
    "tr": """
parola yanlış
parola hatalı
parola çok kısa
parola gerekli
parola boş olamaz
parola değiştirildi
parola en az 8 karakter olmalı
şifre yanlış
şifre: zorunlu
şifremi unuttum
parolanızı girin
""",
    "ro": """
parola este greșită
parola este incorectă
parola este prea scurtă
parola este obligatorie
parola a expirat
parola este goală
parola trebuie să aibă minim 8 caractere
parola: obligatorie
ai uitat parola?
schimbă parola
introduceți parola
""",
    "ru": """
пароль неверный
пароль неверен
пароль слишком короткий
пароль обязателен
пароль истёк
пароль пустой
пароль хранится в зашифрованном виде
пароль был изменён
пароль должен содержать не менее 8 символов
пароль: обязательно
пароль: не менее 8 символов
забыли пароль?
введите пароль
сменить пароль
токен недействителен
""",
    "zh": """
密码错误
密码是错误的
密码不正确
密码是必填的
密码不能为空
密码太短
密码已过期
密码是加密存储的
密码至少8位
密码必须至少8个字符
密码：必填
密码：请输入密码
请输入密码
忘记密码
重置密码
修改密码
口令无效
令牌已过期
""",
    "ja": """
パスワードが間違っています
パスワードは必須です
パスワードは正しくありません
パスワードが短すぎます
パスワードは空です
パスワードは暗号化されています
パスワードは8文字以上にしてください
パスワードの有効期限が切れました
パスワード：必須
パスワードを入力してください
パスワードを忘れた場合
パスワードを変更する
パスワードをリセットする
トークンが無効です
""",
    "ko": """
비밀번호가 틀렸습니다
비밀번호가 일치하지 않습니다
비밀번호는 필수입니다
비밀번호가 너무 짧습니다
비밀번호는 비어 있습니다
비밀번호는 암호화되어 저장됩니다
비밀번호는 8자 이상이어야 합니다
비밀번호가 만료되었습니다
비밀번호: 필수
비밀번호를 입력하세요
비밀번호를 잊으셨나요?
비밀번호 변경
비밀번호를 변경하세요
토큰이 유효하지 않습니다
""",
}

HARMLESS = (
    *(line.replace(r"\n", "\n") for line in CODE),
    *ENGLISH,
    *(line for lines in OTHERS.values() for line in lines.strip().splitlines()),
)
