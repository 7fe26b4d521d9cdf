"""Words that follow a label in a sentence and are no secret: "the password is wrong".

They were measured in documents and programs, and are those of many languages together, as
texts mix them. A word that is not here and ends no sentence in one of the ways of
`_ENDINGS` counts as the secret that the sentence tells.
"""

# ruff: noqa: E501 - a list of words is a line

from gitmem.text.patterns import pattern, word_list

KNOWN = frozenset(
    word_list("""
stays lives lies sits resides belongs lexer pflichtfeld pflichtangabe eingabefeld textfeld
dort sichtbar lesbar derselbe dieselbe dasselbe eindeutig schuld weg visible pública única temporal legible igual
debil visibles valable valables lisible faible unique temporaire provisoire perdue facultatif facultative visível
visíveis temporária legível uniek gelijk widoczne widoczny słabe silne takie proste trudne tymczasowe unikalne jawne
dostępne vidět vidno nesmí nemůže detsamma detta synligt unikt tillfälligt överallt enkelt läsbart valfri giltig
ogiltigt visibile visibili facoltativa facoltativo unica provvisoria leggibile debole uguale görünür isteğe bağlı
zayıf güçlü aynı geçici durumda doldu açık kayıp vizibilă vizibil slabă unică temporară aceeași poate nu fi publică
log opțional виден видно слабый одинаковый простой известен тот секрет description meaning purpose notes kind
identifier ident high low ground isolation necesaria necesario siehe nieważny nieważna neplatný neplatná ogiltig să
aibă minim minimum maxim обязательна cut split ours theirs hers put hit shut spread hurt cost bet burst cast shed
upset paid shot slept sold spent stood taught understood won written chosen driven fallen forgotten frozen ridden
risen shaken spoken stolen sworn thrown torn worn built bought brought caught felt fought gotten heard hung laid led
lent lit bearer basic digest jwt oauth login logout import export passing via-env bcrypt argon2 scrypt plain-text
clear-text up-to-date out-of-date case-sensitive one-time hashing policy-based field reset prompt input form dialog
box screen link email rule rules generator vault auth grant handling hasher checker validator validation verification
recovery protection encryption encoder callback combination history expiration complexity requirements confirmation
confirm attempts guess spraying cracking leakage exposure sync autofill credential table schema model hint toggle
visibility icon label button component module library provider util utils method option options flag env access id
bucket counting counter usage budget stream parser tokenizer endpoint introspection revocation lifetime expiry scope
audience claims claim payload signature issuer exchange refresh family pair name names value scanner scanning
detection sprawl santa sauce agent management engine backend item resource entries section sections part parts portion
attribute attributes argument arguments parameter parameters asking assuming becoming being bypassing causing changing
containing coming comparing expiring failing going having including leaking logging matching missing needing nothing
pending reading resetting rotating sharing showing using waiting working according existing following incoming
outgoing optional a about above absent account across active additional after again against ago alive all allow
already also although always am an and another any anymore anyone anything anyway apart appears are around as aside
ask asks at authentication auto avoid away awaiting back bad be because been before begin beginning begins below best
better blank both bound break broken bug build but by bypass cache call can cannot case cause change changes char
character characters check checks clear cleartext client column come comes comment common complete complex
confidential config configuration contain contains control copy correct could count create creates current data
database dead decode decrypt default delete deny derive detect did different disable discard display do does done down
due during each easily easy either else empty enable encode encrypt enough ensure enter entirely entry environment
equal error even ever every everything everywhere except exist exists expire expires explicit explicitly extract fail
fails false fetch few fields file files fill find fine first fix flow follow for forget format forward found free
fresh from full fully further generic get gets give given go goes gone good had handle happens hard has hash have
header helper hence here hidden hide his hold holds how however i if ignore illegal implement important in inactive
include incomplete incorrect info inform inline insecure inside insert instead insufficient into introduce invalid
irrelevant is issue it its itself just keep kept key keyring known lacking last later latest leak leaks least leave
left less let letters like likely limit list live load logic long longer look looks lost lowercase made mainly make
manage manager mandatory many mark match matches may me mean meant memory might mine mode moot more most mostly move
much must my naming near need needs neither never new next no nobody non none nonexistent nor not notice notify now
null number obsolete obtain of off often ok okay old on once one only opaque open or other otherwise our out over own
page param parse password passwordless pass per perform perhaps permanent persist persistent pick place plain
plaintext please point policy poor possibly prefix present pretty prevent previous print probably problem process
prompts protect prove proven provide public quite quotes random rather raw re-entered re-used re-encrypted re-issued
read read-only ready reason receive recent refer refuse reject remember remove renew replace report request require
requirement resolve response rest restore retrieve retry return returns reuse revoke right role rotate rotation run
safe safely same sanitize save say says secret secrets secure securely see seem seen select self-describing send
sensitive sent server service session set setting several shall share she short should show shown side similar simple
simply since single site size skip so some someone something sometimes somewhere soon source specific specify still
stop storage store stores strength string strings strip strong stronger subject submit such suffix sufficient support
sure surely switch symbols take taken temporary ten text than that the their them then there therefore these they
thing this those though thought three through thus to today together token tokens told too took towards transmit treat
trivial true truly try tied turn twice two type types unable unclear under unknown unless unlike unlock unnecessary
unsafe unset until up update updates upon uppercase url us usable use used useful useless user username users uses
usual valid values verbatim verify version very via wait want was way we weak weaker well went were what when whenever
where whereas wherever whether which while who whole whom whose why widely will with within without word words work
works would write wrong yes yet you your yours zero auf aber alle allein als alt anders anzugeben auch aus außerdem
bei beim bereits bitte bleibt braucht da dabei dafür damit danach dann daran darauf darf darin das dass deaktiviert
dein dem den denn der des deshalb die dies diese dieser dir doch du durch dürfen eben ein eine einem einen einer eines
einfach eingeben einmal einzugeben er erst es etwa falsch fehlerhaft fehlt fehlgeschlagen fest folgendes für ganz gar
geheim genau genug gilt gleich groß gut gültig hat hier hinter ich ihr ihre im immer inkorrekt ins ist ja jede jeder
jetzt kann kein keine klein klar kommt korrekt kurz lang leer leider leicht liegt man mehr mein mindestens mit muss
müssen nach neu nicht nichts nie noch notwendig nun nur nötig ob oben obligatorisch oder ohne pflicht richtig schlecht
schon schwach sein seit sehr sich sicher sie sind sofort soll sollte sollten stark statt steht stets stimmt trotzdem
um unbekannt und ungültig unnötig unsicher unter unverschlüsselt verfügbar viel vom von vor vorhanden war warum weder
weil weiterhin wenn wer werden wie wieder wir wird wo wurde wurden zeichen zu zum zur zurück zwar zwischen ändern über
überall actual además al algo alguien alguna ambos antes aparece aquí así aunque bien bueno cada caduca caracteres
casi clara como con contiene correcta correcto corta corto cual cualquier cuando cuyo débil de debe deben del dentro
desde donde dos durante e ella el en entonces entre era esa ese eso esta está están este esto estaba existe expira
fácil falta fija fue fuera fuerte ha hace han hasta hay incorrecta incorrecto insegura la larga las le les lo los mal
mala más mayor menos mi mientras mínimo misma mismo mucho muy nada ni ninguna nos nueva nuevo nula nunca o obligatoria
obligatorio oculta opcional otra otro para pero poco por porque puede pueden que quien sea secreta según segura seguro
sé será si sí siempre sin sino sobre solo sólo son su sus también tan tiene tienen toda todavía todo todos tu tus
última un una unos usa usada vacía vacío va ya y à afin ai alors ancien après au aucun aussi autre aux avant avec bon
bonne brut car ce celui cependant ces cet cette chaque comme connu court dans déjà depuis devrait différent doit
doivent donc dont écrit elle elles encore ensuite est et était étaient être eux exact facile fait faux fort il ils
inconnu invalide inutile jamais je leur lequel lors lorsque lui ma mais malheureusement manquant mauvais même mes
mieux moins mon ne nécessaire notre nous nouveau nul obligatoire ont ou où par parce pas perdu peu peut plus plutôt
pour pourquoi première près présent puis quand quel qui quoi requis rien sa sans se sera ses sont sous souvent sûr sur
suivant tous tout toujours très trop une valide vers vide vos votre vous vrai ainda alguém algum ao aos apenas após
até atual bem com contém correta correto curta deve devem depois dessa é ela ele em estava estão eu expirou foi foram
forte fraca há incorreta incorreto isso já longa mas mesma mesmo muito na não nas nem nenhuma nova novo num
obrigatória obrigatório os outra pela pelo pode podem precisa quando quem são sem sempre ser seu só sua também tem têm
uma usado vazia vazio você aan alleen altijd andere beide ben bij bijna binnen daar daarna dan dat deze dit door dus
een eens eerst elk fout foutief geen geldig goed heb heeft het hetzelfde hij hoe hun ik juist kan kort kunnen kwijt
leeg maar met mij mijn minimaal minstens misschien moet moeten naar niet niets nieuw nodig nog nooit om onbekend
ongeldig onjuist onveilig ook op optioneel oud sinds sterk te tegen tekens toch toen tot tussen uit uw van vanaf
veilig vol voor vroeger waar waarom wachtwoord wanneer waren wat weer weet wel welke werd wij wil worden wordt zal ze
zeer zelf zich zij zijn zo zodat zonder zou zwak aby albo ale ani bardzo bez bezpieczne błędne brak będzie być był
była było były bo ci co czy dla dlaczego dobre gdy gdzie ile inne jak jakie jako jego jej jest jeszcze jeśli jeżeli
już każde kiedy kto które krótkie lub mają mieć mnie mogą może można mój mu musi muszą nad nadal nam nasze nieaktualne
nieaktywne nieprawidłowe niepoprawne nieznane nieważne nic nigdy niż nowe obecnie obowiązkowe od ono opcjonalne oraz
po pod poprawne potem powinno prawidłowe prywatne przez przy publiczne puste są się stare tajne tak także tam tego
teraz tutaj tylko twoje ty użytkownika w wasze więc wszystkie wygasa wygasło z za zawiera zawsze znaków złe zbyt że
bude byl byla bylo být chybí či dnes ho jeho jejich jen ještě ji jiné již jsem jsme jsou k kde kdo kdy když ke má mají
mezi mít může musí můj musíte nebo nebylo není nemá než nikdy nové pak podle pokud potom pouze pro proto protože
prosím před při příliš s svůj ta tady také tato tedy toho toto už u uživatele v vaše ve vždy však vyprší vypršelo
znaků zadejte že alla alltid andra att av bara borde bra denna deras det dig din där då efter eftersom ej eller enda
ens ett fel felaktigt fick fortfarande från för får finns ganska genom giltigt gång gör hade har hemligt hon hur här
icke ingen inget inte innan jag ken krävs kunde känt lagras långt med mellan men mer minst mitt mot mycket måste många
nytt när nästa någon något obligatoriskt och också okänt olika oss osäkert på redan rätt saknas samma sedan ska skall
som starkt svagt säkert så tecken till tills tom tomt trots upp ur utan utgånget vad valfritt var vara varför varje
vem vi vid vilken vill är än ändras även över feil forkert gyldig ikke ugyldig nødvendig påkrevd utløpt til fra uten
svakt ad allo altri anche ancora avere bene breve che chi ciò corretta corretto cui dal dalla degli dei della delle
devono di dopo dove è ed errata errato essere fino già giusta gli hanno incorretta io lei loro lunga mai mancante meno
mio molto nel nella nessuna nessun né niente noi nostra nostro nulla nuova nuovo obbligatoria obbligatorio ogni oppure
però piena più poi possibile prima pubblica può qualche quale quella quello questa questo resta scade scaduta scaduto
segreta senza sarà sia sicura sono sotto sta stata stato sul suo temporanea tra troppo tua tuo tutta tutti tutto uno
usata vecchia vuota vuoto acea acest acesta aici ar aş așa bună ca care cât cel cine corect corectă cu cum că când
dacă deja doar după ea ei expirat fără fie foarte fost greșit gol goală a-și incorect incorectă invalidă iar lungă mea
mereu mult necesară nici noastră nou nouă obligatoriu obligatorie opțională pe pentru prea prin sau scurtă secretă
sigură spre sub sunt şi și toate trebuie unde unei unui urmează validă veche voi ama ancak artık az bazı başka belki
bile bir biraz biz boş bu bulunamadı çok çünkü daha değil değişti diye doğru eğer eski eksik geçerli gerekli gibi
gizli göre güvenli hala hangi hatalı hem henüz her hiç için ise iste kadar kısa kim kullanıcı lütfen mı mü nasıl neden
olarak olan olmalı onu sadece sen siz sizin sonra süresi şimdi şu tüm uzun veya yalnızca yanlış yanlıştır yeni yine
yok zaten zorunlu zorunludur а без более больше бы был была были было быть в вам вас ваш ваша вашему везде верен
вместо во вот все всё всегда всего всех вы где да даже два для до должна должно достаточно его ее её если есть ещё еще
же за здесь и из или им истек истёк их к как какой ко когда кто который ли либо лишь меня между мне может можно мой мы
на над надо наш не него неверен недостаточно нельзя необходим неизвестен нет нигде никогда никто ничего но новый нужно
о об один однако он она они оно от очень перед по под пока пользователя пожалуйста после потом потому при про просто
пуст пустой пустым раз с сам себя символов сейчас слишком снова со состоит старый такой так также там те теперь то
тогда того тоже только три тут ты у уже устарел утерян хотя чего чем через что чтобы эта эти это этот я
""")
)

_ENDINGS_OF_ENGLISH = {  # behind nothing but its letters
    1: word_list("""
ally ntly edly ingly ously ively erly etly arly illy fully tely ctly lely sely
"""),
    3: ("ed",),
    4: ("able", "ible"),
}
_ENDINGS = {
    2: word_list("""
czone czona czony ione iona iony zane zana zany stone stona stony żone żona żony szone szona szony wane wana wany
sane sana sany mniane mniana mniany agane agana agany dane dana dany ată ită ută лен лена лено лены жен жена жено
жены щен щена щено щены чен чена чено чены шен шена шено шены нен нена нено нены ван вана вано ваны зан зана зано
заны сан сана сано саны дан дана дано даны слан слана слано сланы выт выта выто выты рыт рыта рыто рыты лён лёна
лёно лёны жён жёна жёно жёны щён щёна щёно щёны чён чёна чёно чёны шён шёна шёно шёны нён нёна нёно нёны дён дёна
дёно дёны тся лся лась лось ать ить ует ает еет яет ный ной ным ное ная
"""),
    3: word_list("""
lich pflichtig fähig abhängig lesbar sichtbar baar lijk loos ado ados ada adas ido idos ida idas mente ellement
ément ivement eno áno ěno aný ený erat erad ades izzato izzata izzate iato iata iate rato rata rate vato vata vate
dato data date cato cata cate ssato ssata ssate tato tata tate nato nata nate mış miş muş müş ıldı ıldi ıldu ıldü
ildı ildi ildu ildü uldı uldi uldu uldü üldı üldi üldu üldü ıyor iyor uyor üyor malı mali melı meli dır dir sız siz
льно енно ично
"""),
    4: ("é", "ée", "és", "ées"),
}
"""How words end that say what was done to a password, or how it is; behind how many letters."""

_APART = (
    "(?:an|ab|auf|aus|ein|zurück|weiter|vor|um|über|mit|nach|fest|neu|frei|wieder|zu)"
)
_INFLECTED = pattern(
    r"[a-z]+(?:n['’]t|['’](?:s|re|ve|ll|d|m))|(?:ge|ver|be|ont)\w{3,}(?:d|t|en)"
    rf"|(?:{_APART}ge|über|unter|ent|er|zer)\w{{3,}}t|{_APART}ge\w{{3,}}en"
)
_WRITTEN_TOGETHER = pattern(
    "[的了请請输輸入必须須错錯误誤不正确確无無效为空已将將可被应應该會会和或与與需要至少长度長位个字符加密存储過过期保没沒有修改重置设置設定在吗弱强安全可任意選択]"
    "|です|弱|強|任意|毎月|同じ|安全|ます|ません|ました|ください|必要|必須|無効|有効|間違|正し|入力|未設定|設定|変更|忘れ|文字|以上|ない|ある|いる"
    "|された|する|して|から|まで|ため|とき"
    "|습니다|합니다|암호화|입력|필요|필수|잘못|틀렸|올바르|않|없|있|하세요|변경|만료|유효|무효|저장|되었|됩니다|이상|너무|비어|설정|재설정|분실|일치|선택|매달|같|약하|강하|안전|바꾸|공개|해야|하지|라고|자리"
)

_COPULA = pattern("(?:です|でした|입니다|이에요|예요)$")


def is_known(word: str) -> bool:
    """Return whether `word`, going on in a sentence, describes the secret."""
    small = word.strip(".,:;!?…()[]{}*_\"'`«»“”。，").lower()
    if small.isascii():
        return small in KNOWN or _is_inflected(small)
    small = _COPULA.sub("", small)
    is_written_together = (
        max(small, default="") >= "\u3000"  # far faster than the pattern
        and _WRITTEN_TOGETHER.search(small) is not None
    )
    return small in KNOWN or is_written_together or _is_inflected(small)


def _is_inflected(small: str) -> bool:
    if not small[-1:].isalpha():
        return False
    if small.replace("_", "").isalnum():
        is_english = small.isascii() and small.isalpha()
        for endings in (_ENDINGS, _ENDINGS_OF_ENGLISH)[: 1 + is_english]:
            if any(small.endswith(ending, least) for least, ending in endings.items()):
                return True
    return _INFLECTED.fullmatch(small) is not None
