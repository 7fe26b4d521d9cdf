"""Another set of texts with a secret behind a label, written apart from the rules.

It was measured once before anything was mended for it (docs/decisions/0017).
"""

from collections.abc import Iterator

from redaction.labelled_texts import Text, rows

WORDS = rows("""
letmein  butterfly  Schmetterling  mariposa  soleil  cachorro  fietsbel  truskawka
jahoda  blåbär  farfalla  çiçek  mămăligă  берёза  苹果树  さくらもち  무지개
""")
PINS = ["1379", "00421", "246810"]
SYMBOLS = ["@#%^&*", "?!?!?!", "<>{}[]", "~~==~~"]
SHORT = ["zq", "k9", "ab1", "pip"]
PHRASES = rows("""
orange tractor sings loudly  blue-kettle-under-moon  my voice is my passport
viele bunte Luftballons  tres tristes tigres
""")
STRONG = ["G7$kd!x2Lq", "aB3dE5fG", "x8-Tz_44.q", "monkey123", "Winter2024!"]
ALL = [
    *(("word", w) for w in WORDS),
    *(("pin", w) for w in PINS),
    *(("symbols", w) for w in SYMBOLS),
    *(("short", w) for w in SHORT),
    *(("phrase", w) for w in PHRASES),
    *(("strong", w) for w in STRONG),
]
TIGHT = [pair for pair in ALL if " " not in pair[1] and pair[0] != "symbols"]
NO_SYMBOLS = [pair for pair in ALL if pair[0] != "symbols"]

# forms that take any value
QUOTED = r"""
set db password to "{V}"
chore: change default password to '{V}'
fix(auth): hardcode token "{V}" for now
revert: password back to "{V}"
the pw is "{V}" btw
pin = "{V}"
DB_PASS="{V}"
os.environ["API_TOKEN"] = "{V}"
process.env.SECRET_KEY = '{V}';
const { password = "{V}" } = opts;
String dbPassword = "{V}";
private static final String PASSWORD = "{V}";
let apiKey: String = "{V}"
val token = "{V}"
var pwd = '{V}';
$password = '{V}';
my $passwd = "{V}";
password := "{V}"
PASSWORD: "{V}"
:password => "{V}",
password: "{V}",
(password "{V}")
.withPassword("{V}")
.password("{V}")
builder.setToken("{V}")
new Credentials().setSecret("{V}")
withCredential("{V}")
login(user="bob", passwd="{V}")
auth = {"user": "bob", "password": "{V}"}
{"auth":{"passphrase":"{V}"}}
{"config": "{\"password\": \"{V}\"}"}
<user name="bob" password="{V}"/>
<param name="password">{V}</param>
<add key="Password" value="{V}" />
<Password>{V}</Password>
<input name="pw" type="password" value="{V}" />
[db]\npassword = "{V}"
secrets:\n  db_password: "{V}"
ALTER USER app WITH PASSWORD '{V}';
ALTER ROLE app PASSWORD '{V}'
CREATE LOGIN app WITH PASSWORD = '{V}';
SET PASSWORD = '{V}';
UPDATE accounts SET pwd='{V}', active=1
INSERT INTO accounts(login, pwd, role) VALUES('bob', '{V}', 'admin')
SELECT * FROM t WHERE passwd = '{V}'
GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY '{V}';
identified by '{V}'
psql "host=db user=bob password='{V}'"
mysqldump --password='{V}' db
--token "{V}"
--api-key='{V}' run
-Password "{V}"
echo "{V}" | passwd --stdin bob
{"name":"TOKEN","value":"{V}"}
headers["X-Auth-Token"] = "{V}"
"X-API-Key": "{V}",
assert password == "{V}"
if (pin === "{V}") unlock();
expect(getPassword()).toBe(secret) // secret: "{V}"
throw new Error("wrong password '{V}'")
""".strip().splitlines()

BARE = r"""
DB_PASS={V}
export TOKEN={V}
password={V}
  password: {V}
secret: {V}
psk={V}
wpa_passphrase={V}
pin: {V}
WIFI_PASSWORD={V}
spring.datasource.password={V}
- POSTGRES_PASSWORD={V}
user: bob\npassword: {V}
login: bob\npass: {V}
Username: bob\nPassword: {V}
Passwort:\n  {V}
Password:\n{V}
# Password\n{V}
// password: {V}
/* password: {V} */
-- password: {V}
; password = {V}
> password: {V}
* password: {V}
1. password: {V}
🔑 password: {V}
password 👉 {V}
password - {V}
password → {V}
password＝{V}
パスワード＝{V}
pass\u200bword: {V}
pass\u00adword={V}
| host | user | password |\n|---|---|---|\n| db | bob | {V} |
| Benutzer | Passwort |\n| --- | --- |\n| bob | {V} |
| Password | {V} |
host,user,password\ndb,bob,{V}
user;passwort\nbob;{V}
user\tpassword\nbob\t{V}
 name | password \n------+----------\n bob  | {V}
password is {V}
the wifi password is {V}
our staging password was {V}
Bob's password is {V}.
btw the pw is {V}
FYI the token is {V}
password now {V}
new password: {V}
old password: {V}
temporary password: {V}
password for the staging db: {V}
db password is now {V}
rotate staging password (was: {V})
rotate db password (old: {V})
set db password to {V}
changed admin password to {V}
reset bob's password to {V}
update default password to {V}
{V} is the new password
{V} is the password for staging
use {V} as the password
use {V} as password
try password {V}
log in with bob / {V}
logged in as bob / {V}
user/pass: bob / {V}
creds: bob / {V}
credentials are bob / {V}
username bob password {V}
user bob, password {V}
bob's login is bob:{V}
das Passwort lautet {V}
Passwort ist {V}
Das neue Passwort: {V}
Passwort geändert auf {V}
Kennwort = {V}
Zugangsdaten: bob / {V}
la contraseña es {V}
contraseña: {V}
nueva contraseña: {V}
le mot de passe est {V}
mot de passe : {V}
nouveau mot de passe : {V}
a senha é {V}
senha: {V}
nova senha: {V}
het wachtwoord is {V}
wachtwoord: {V}
nieuw wachtwoord: {V}
hasło to {V}
hasło: {V}
nowe hasło: {V}
heslo je {V}
heslo: {V}
nové heslo: {V}
lösenordet är {V}
lösenord: {V}
nytt lösenord: {V}
la password è {V}
nuova password: {V}
parola: {V}
yeni parola: {V}
parola este {V}
parola nouă: {V}
пароль: {V}
пароль — {V}
пароль - {V}
новый пароль: {V}
密码：{V}
密码: {V}
密码是{V}
新密码：{V}
口令：{V}
パスワード：{V}
パスワードは{V}です
パスワード: {V}
비밀번호: {V}
비밀번호는 {V} 입니다
새 비밀번호: {V}
""".strip().splitlines()

TIGHT_FORMS = r"""
https://bob:{V}@git.example.com/r.git
postgres://bob:{V}@db/app
https://example.com/login?user=bob&password={V}
/callback?token={V}&state=1
curl -u bob:{V} https://h
curl --user "bob:{V}" https://h
wget --password={V} https://h
mysql -ubob -p{V} app
mysql -u bob -p'{V}' app
sshpass -p {V} ssh bob@h
sshpass -p'{V}' scp a b:
redis-cli -a {V}
mongo -u bob -p {V}
docker login -u bob -p {V} r.example.com
PGPASSWORD={V} psql -h db
MYSQL_PWD={V} mysql
run --password {V} --verbose
run --pin {V}
run --secret={V}
Authorization: Bearer {V}
X-Api-Key: {V}
X-Auth-Token: {V}
Proxy-Authorization: Basic {V}
docker run -e DB_PASSWORD={V} app
kubectl create secret generic s --from-literal=password={V}
heroku config:set API_KEY={V}
Server=db;User Id=sa;Password={V};
changed password from {V} to {W}
change password from {V} to {W}
password changed from {V} to {W}
password: {V} -> {W}
PIN changed from {V} to {W}
Passwort von {V} auf {W} geändert
contraseña cambiada de {V} a {W}
mot de passe changé de {V} à {W}
senha alterada de {V} para {W}
wachtwoord van {V} naar {W} gewijzigd
heslo změněno z {V} na {W}
пароль изменён с {V} на {W}
mc alias set s3 https://s3.example.com AKID {V}
""".strip().splitlines()


def labelled_elsewhere() -> Iterator[Text]:
    for forms, values in ((QUOTED, NO_SYMBOLS), (BARE, ALL), (TIGHT_FORMS, TIGHT)):
        for form in forms:
            for kind, value in values:
                shape = form.replace(r"\n", "\n").replace(r"\t", "\t")
                shape = shape.replace(r"\u200b", "\u200b").replace(r"\u00ad", "\u00ad")
                text = shape.replace("{V}", value).replace("{W}", "Papagei")
                hidden = (value, "Papagei") if "{W}" in form else (value,)
                yield Text(text, hidden, f"{form} |  | {kind}")
