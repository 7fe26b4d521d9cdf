"""Words that follow a label in a sentence and are no secret: "the password is wrong".

They were measured in documents and programs, and are those of many languages together, as
texts mix them. A word that is not here and ends no sentence in one of the ways of
`_INFLECTED` counts as the secret that the sentence tells.
"""

# ruff: noqa: E501 - a list of words is a line

from gitmem.redaction.patterns import pattern

_WORDS = """
dort sichtbar lesbar derselbe dieselbe dasselbe dienstlich gespeichert eingestellt eindeutig schuld weg
visible privada pública única temporal legible igual filtrada debil caducado visibles
valable valables visible lisible faible unique temporaire provisoire enregistré perdue facultatif facultative
visível visíveis privada única temporária legível repetida
zichtbaar leesbaar uniek tijdelijk gelijk
widoczne widoczny słabe silne takie proste trudne tymczasowe unikalne jawne dostępne
vidět viditelné vidno uložené dočasné jedinečné stejné jednoduché nepovinné nesmí nemůže
detsamma detta synligt unikt tillfälligt överallt enkelt läsbart valfri giltig ogiltigt
visibile visibili facoltativa facoltativo unica provvisoria leggibile debole uguale
görünür isteğe bağlı zayıf güçlü aynı geçici durumda eşleşmiyor doldu benzersiz açık kayıp
vizibilă vizibil slabă unică temporară aceeași poate nu fi publică log opțional
виден видно слабый сильный одинаковый временный простой сложен известен тот секрет необязательно необязателен
description meaning purpose notes kind identifier ident high low ground isolation necesaria necesario siehe siehe nieważny nieważna neplatný
neplatná ogiltig ogiltigt să aibă minim minimum maxim обязательно обязательный обязательна изменён изменен cut split ours theirs hers put hit shut spread hurt cost bet burst cast shed upset paid shot slept sold spent stood taught
understood won written chosen driven fallen forgotten frozen ridden risen shaken spoken stolen sworn thrown torn worn built
bought brought caught felt fought gotten heard hung laid led lent lit bearer basic digest jwt oauth login logout import export
passing via-env bcrypt bcrypted argon2 scrypt plain-text clear-text up-to-date out-of-date case-sensitive one-time
hashing policy-based field reset prompt input form dialog box screen link email rule rules generator vault auth grant
handling hasher checker validator validation verification recovery protection encryption encoder callback combination
history expiration complexity requirements confirmation confirm attempts guess spraying cracking leakage exposure sync
autofill credential table schema model hint toggle visibility icon label button component module library provider util utils
method option options flag variable env access id bucket counting counter usage budget stream parser tokenizer endpoint
introspection revocation lifetime expiry scope audience claims claim payload signature issuer exchange refresh family pair
name names value scanner scanning detection sprawl santa sauce agent management engine backend item manager's resource
entries section sections part parts portion attribute attributes argument arguments parameter parameters
asking assuming becoming being bypassing causing changing containing counting coming comparing expiring failing going hashing having including leaking logging matching missing needing nothing pending reading resetting rotating sharing showing using waiting working according existing following incoming outgoing optional
a about above absent accepted access accessible account accurate across active actually added
additional admin? after again against ago alive all allow allowed already also although always am an
and another any anymore anyone anything anyway apart appears applied are around as aside ask asks at
attached auth authenticate authentication auto automatically available avoid away awaiting back bad based be
because been before begin beginning begins behind being below best better between beyond blank both bound
break broken bug build but by bypass cache call called can cannot case cause change changes char character
characters check checks clear cleartext client column come comes comment common complete completely complex
confidential config configuration configured contain contains control copy correct correctly could count
create creates current currently data database dead decode decrypt default defined delete deny deployed
derive derived detect did different disable discard discouraged display do does doesn't don't done down
due during each easily easy either else embedded empty enable encode encrypt endpoint enough ensure enter
entered entirely entry environment equal error even ever every everything everywhere exactly exceed except
exchange exist exists expire expires expiry explicit explicitly exposed extract fail fails false fetch few
field fields file files fill finally find fine first fix flow follow following for forget format forward found
free fresh from full fully further generate generic get gets give given go goes going gone good grant had
handle happens hard hardcoded has hash have having header helper hence here hidden hide his hold holds how
however i id if ignore illegal immutable implement important in inactive include included incomplete
incorrect incorrectly indeed info inform initially inline input insecure inside insert instead insufficient
into introduce invalid irrelevant is isn't issue issued it it's its itself just keep kept key keyring kind
known lacking last later latest leak leaks least leave left less let letters like likely limit limited list
literally live load log logged logic login long longer look looked looks lost lowercase made mainly
make malformed manage manager mandatory many mark match matches may me mean meant memory might migrate
mine minimum missing mode moot more most mostly move much must my name naming near need needed needs
neither never new next no nobody non none nonexistent nor not notice notify nothing now null number
obsolete obtain obviously of off often ok okay old omitted on once one only opaque open optional or other
otherwise our out outdated over own page param parameter parse part passed password passwordless pass per perform
perhaps permanent persist persistent pick place plain plaintext please point policy poor possible
possibly prefix present pretty prevent previous previously print private probably problem process
production? prompt prompts protect prove proven provide provided public quite quotes random rather raw
re-entered re-used re-encrypted re-issued read read-only readable ready really reason receive recent
recommended redacted refer refresh refuse regularly reject related remember remove renew
replace report request require required requirement reset resolve response rest restore retrieve retry
return returns reuse revoke right role rotate rotation run safe safely same sanitize save saved say says scope
scoped secret secrets secure secured securely see seem seen select self-describing send sensitive sent
separate separately server service session set setting several shall share she short should show shown
side similar simple simply since single site size skip so some someone something sometimes somewhere soon
source specific specify specified still stop storage store stores strength string strings strip strong
stronger subject submit such suffix sufficient supplied support supposed sure surely switch symbols
synced take taken temporary ten test? tested text than that that's the their them then there therefore
these they thing this those though thought three through thus to today together token tokens told too took
towards transmit treat tried trivial true truly truncate try tied turn twice two type types typically unable
unavailable unclear under unique unknown unless unlike unlock unnecessary unreadable unsafe unset until
unusable unused up update updates upon uppercase url us usable usage use used useful useless user username
users uses using usual usually valid validate value values variable verbatim verify version very via
visible wait want was wasn't way we weak weaker well went were what when whenever where
whereas wherever whether which while who whole whom whose why widely will with within without won't
word words work works would write wrong yes yet you you'd you'll your yours zero
auf aber abgelaufen alle allein als also alt am an anders anzugeben auch aus außerdem bei beim bekannt
bereits bitte bleibt braucht da dabei dafür damit danach dann daran darauf darf darin das dass
deaktiviert dein dem den denn der des deshalb die dies diese dieser dir doch dort du durch dürfen eben
eigentlich ein eine einem einen einer eines einfach eingeben einmal einzugeben entfernt er erforderlich
erlaubt erneut ersetzt erst es etwa falsch fehlerhaft fehlt fehlgeschlagen fest folgendes für ganz gar
geheim genau genug gilt gleich groß gut gültig hat hier hinter ich ihr ihre im immer in inkorrekt ins ist ja
jede jeder jetzt kann kein keine klein klar kommt korrekt kurz lang leer leider leicht liegt man mehr mein
mindestens mit muss müssen möglich nach neu nicht nichts nie noch notwendig nun nur nötig ob oben obligatorisch
oder ohne optional per pflicht plötzlich richtig schlecht schon schwach sein seit sehr sich sicher sie sind
so sofort soll sollte sollten stark statt steht stets stimmt trotzdem um unbekannt und ungültig unnötig unsicher
unter unverschlüsselt verborgen verfügbar veraltet viel vom von vor vorhanden war warum was weder weil
weiterhin wenn wer werden wie wieder wir wird wo wurde wurden zeichen zu zum zur zurück zwar zwischen
ändern öffentlich über überall übereinstimmt
a actual además al algo alguien alguna ambos antes aparece aquí así aunque bien bueno cada caduca caducada
caracteres casi cifrada clara como compartida con conocida contiene correcta correcto corta corto cual
cualquier cuando cuyo débil de debe deben del demasiado dentro desde desconocida después donde dos durante e
ella el en encriptada entonces entre era es esa ese eso esta está están este esto estaba existe expira
expirada fácil falta fija fue fuera fuerte ha hace han hasta hay igual incorrecta incorrecto insegura inválida
inválido la larga las le les lo los mal mala más mayor me menos mi mientras mínimo misma mismo mostrada mucho muy
nada ni ninguna no nos nueva nuevo nula nunca o obligatoria obligatorio oculta opcional otra otro para pero
perdida poco por porque pública puede pueden que quien requerida requerido sea secreta según segura seguro sé
será si sí siempre sin sino sobre solo sólo son su sus también tan tiene tienen toda todavía todo todos tu
tus última un una unos usa usada usted vacía vacío válida válido va ya y
à afin ai alors ancien après au aucun aussi autre aux avant avec bien bon bonne brut car ce celui cependant ces
cet cette chaque chiffré comme connu correct court d' dans de déjà depuis des devrait différent doit doivent
donc dont du échoué écrit elle elles en encore ensuite entre est et était étaient être eux exact exigé expire
facile facultatif faible fait faux fort haché il ils impossible inconnu incorrect introuvable invalide inutile
jamais je jusqu' l' la laissé le les leur lequel lors lorsque lui ma mais malheureusement manquant mauvais même
mes mieux moins mon ne ni nécessaire non nos notre nous nouveau nul obligatoire on ont ou où oublié par
parce pas perdu périmé peu peut plus plutôt pour pourquoi première près présent privé public puis qu' quand que quel qui
quoi requis rien sa sans se secret sécurisé sera ses si son sont sous souvent stocké sûr sur suivant
tous tout toujours très trop trouvé tu un une unique utilisé valide vers via vide visible vos votre vous vrai y
ainda alguém algum ao aos apenas após as até atual bem cada clara com como contém correta correto criptografada curta
da das de deve devem depois desde dessa do dos e é ela ele em entre era errada errado está estava estão este
eu existe expira expirada expirou exibida fácil falta foi foram forte fraca há incorreta incorreto inválida inválido
isso já longa mais mas menos mesma mesmo mínimo muito na não nada nas nem nenhuma no nos nova novo nula num nunca
o obrigatória obrigatório oculta opcional os ou outra para pela pelo perdida pode podem por porque precisa pública
quando que quem são se secreta segura seguro sem sempre ser será seu só sobre sua também tem têm toda todo todos um uma
usada usado vazia vazio válida válido você
aan al alleen als altijd andere beide bekend ben bij bijna binnen correct daar daarna dan dat de deze die dit door
dus een eens eerst elk en er fout foutief geen geheim gehasht geldig goed had heb heeft het hetzelfde hier hij hoe
hun ik in incorrect is ja je juist kan kort kunnen kwijt lang leeg maar met mij mijn minimaal minstens misschien moet
moeten mogelijk na naar niet niets nieuw nodig nog nooit nu of om onbekend ongeldig onjuist onveilig ook op openbaar
optioneel ook over oud sinds sterk te tegen tekens toch toen tot tussen uit uw van vanaf veilig veranderd verborgen
vereist vergeten verkeerd verlopen verplicht verwijderd via vol voor vroeger waar waarom wachtwoord wanneer want
waren was wat weer weet wel welke werd wie wij wil worden wordt zal ze zeer zelf zich zichtbaar zij zijn zo zodat
zonder zou zwak
a aby albo ale ani bardzo bez bezpieczne błędne brak będzie być był była było były bo by ci co czy dla dlaczego do
dobre dostępne gdy gdzie i ich ile im inne ja jak jakie jako jawne je jego jej jest jeszcze jeśli jeżeli już każde
kiedy kto które krótkie lub ma mają mi mieć mnie mogą może można mój mu musi muszą na nad nadal
nam nas nasze nie nieaktualne nieaktywne nieprawidłowe niepoprawne nieznane nieważne nic nigdy niż nowe o obecnie obowiązkowe od
ono opcjonalne oraz po pod poprawne potem powinno prawidłowe prywatne przed przez przy publiczne puste są się silne
słabe stare tajne tak także tam te tego ten teraz to tu tutaj tylko twoje ty użytkownika w was wasze we więc
wszystkie wygasa wygasło wymagane z za zawiera zawsze ze znaków złe zbyt że
aby ale ani bez bezpečné bude by byl byla bylo být chybné chybí co či dlouhé dnes do ho i já jak jako je jeho
jejich jen ještě ji jiné již jsem jsme jsou k každé kde kdo kdy když které krátké ke ma má mají mezi mi mít může musí
můj musíte na nad nebo nebylo není nesprávné neplatné neznámé nemá než nikdy nic nové o od ověřeno pak po pod podle
pokud potom povinné pouze pro proto protože prosím prázdné před při příliš s se silné slabé správné špatné
staré svůj ta tady tak také tam tato tedy ten to toho toto tu už u uživatele v vaše ve vždy však vyprší vypršelo z za
ze znaků zadejte že
alla alltid andra att av bara borde bra de dem den denna deras det detta dig din du där då efter eftersom
ej eller en enda ens ett fel felaktigt fick fortfarande från för får finns ganska genom giltigt gång gör ha hade han har
hemligt hon hur här i icke in ingen inget inte innan ja jag kan ken kort krypterat krävs kunde känt lagras långt man med
mellan men mer minst mitt mot mycket måste många ni nog nu nytt när nästa någon något obligatoriskt och också ogiltigt okänt olika
om oss osäkert på redan rätt saknas samma se sedan ser ska skall som starkt svagt säkert så tecken till tills tom tomt trots
under upp ur utan utgånget vad valfritt var vara varför varje vem vi vid vilken vill är än ändras även över
feil forkert gyldig ikke ugyldig eller nødvendig påkrevd tomt utløpt på til av fra med uten kort svakt
a ad al alla allo altri anche ancora avere bene breve che chi ci ciò come con contiene corretta corretto cui da dal dalla de debole
degli dei del della delle deve devono di dopo dove e è ed era errata errato essere facile fino forte già giusta gli ha hanno ho
i il in incorretta inutile io la lei le lo loro lui lunga ma mai mancante meno mi mio molto ne nel nella nella nessuna nessun
né niente no noi non nostra nostro nulla nulla nuova nuovo o obbligatoria obbligatorio ogni oppure per perché però
piena più poi poco possibile prima privata pubblica può qualche quale quando quella quello questa questo qui resta
sbagliata sbagliato scade scaduta scaduto se segreta sempre senza sarà sia sicura si solo sono sotto sta stata stato
su sua sul suo temporanea tra troppo tua tuo tutta tutti tutto un una uno usata valida valido vecchia vi visibile vuota vuoto
acea acest acesta aici al ale ar are aş așa au bună ca care cât ce cel cine corect corectă cu cum că când da dacă de deja din
doar după ea ei el era este eu expirat expirată fără fi fie foarte fost greșit greșită gol goală a-și
incorect incorectă invalid invalidă iar la lui lungă mai mea mereu mult necesară ne nici niciodată noastră
noi nou nouă nu o obligatoriu obligatorie opțională pe pentru prea prin public sau scurtă se secretă sigură slabă
spre stocată sub sunt şi și ta toate tot trebuie uitată un una unde unei unui urmează va valid validă veche voi vor
ama aynı ancak artık az bazı başka belki ben bile bir biraz biz boş bu bulunamadı çok çünkü daha da de değil değildir değişti diye doğru
eğer en eski eksik geçerli geçersiz gerekli gereklidir gerekiyor gibi gizli göre güçlü güvenli güvensiz hala hangi hatalı hem henüz her hiç için
ile ise iste kadar kısa kim kullanıcı lütfen mi mı mu mü nasıl ne neden o olarak olan olmalı olmalıdır onu
şifrelenmiş sadece sen siz sizin son sonra süresi şimdi şu tüm uzun var ve veya ya yalnızca yanlış yanlıştır yeni yine yok zaten
zayıf zorunlu zorunludur
а без более больше бы был была были было быть в вам вас ваш ваша вашему везде верен верный вместо во вот все всё всегда всего всех
вы где да даже два для до должен должна должно достаточно его ее её если есть ещё еще же за здесь и из или им имеет истек истёк
их к как какой ко когда кто который ли либо лишь меня между мне может можно мой мы на над надо надёжный наш не него недействителен
неверен неверный недостаточно нельзя необходим необязателен неправильный неизвестен нет нигде никогда никто ничего но новый
нужен нужно о об один однако он она они оно от очень перед по под пока пользователя пожалуйста после потом потому правильный при про
просто пуст пустой пустым раз с сам себя символов сейчас скрыт слабый слишком сложный снова со совпадает состоит старый
такой так также там те теперь то тогда того тоже только тот три тут ты у уже устарел утерян
хотя хранится чего чем через что чтобы эта эти это этот я является
"""

_INFLECTED = pattern(
    r"[a-z]{3,}ed|[a-z]+n['’]t|[a-z]+['’](?:s|re|ve|ll|d|m)|[a-z]{4,}[ai]ble"
    r"|[a-z]+(?:al|nt|ed|ing|ous|ive|er|et|ar|il|ful|te|ct|le|se)ly"
    r"|(?:an|ab|auf|aus|ein|zurück|weiter|vor|um|über|mit|nach|fest|neu|frei|wieder|zu)?"
    r"ge\w{3,}(?:t|en)|(?:ver|über|unter|be|ent|er|zer)\w{3,}t|ver\w{3,}en"
    r"|\w{3,}(?:lich|pflichtig|fähig|abhängig|lesbar|sichtbar)"
    r"|\w{3,}(?:[ai]d[oa]s?|mente)|\w{4,}é(?:e|s|es)?|\w{3,}(?:ellement|ément|ivement)"
    r"|\w{3,}(?:izzat|ificat|iat|rat|vat|dat|hiat|cat|ssat|tat|nat)[oaăe]|\w{2,}[aiu]tă"
    r"|(?:ge|ver|be|ont)\w{3,}(?:d|t|en)|\w{3,}(?:baar|lijk|loos)"
    r"|\w{2,}(?:owan|czon|ion|zan|nion|ston|żon|szon|wan|san|mnian|agan|dan)[eay]"
    r"|\w{3,}(?:eno|áno|ěno|aný|ené|ané|ený)|\w{3,}(?:erat|erad|ades)"
    r"|\w{3,}(?:m[ıiuü]ş|[ıiuü]ld[ıiuü]|[ıiuü]yor|mal[ıi]|mel[ıi]|d[ıi]r|s[ıi]z)"
    r"|\w{2,}(?:лен|жен|щен|чен|шен|нен|ван|зан|сан|дан|слан|выт|рыт|лён|жён|щён|чён|шён|нён|дён)[аоы]?|\w{3,}(?:льно|енно|ично)"
    r"|\w{2,}(?:тся|лся|лась|лось|ать|ить|ует|ает|еет|яет|ный|ной|ным|ное|ная)"
)
"""How words end that say what was done to a password, or how it is."""

_WRITTEN_TOGETHER = pattern(
    "[的了请請输輸入必须須错錯误誤不正确確无無效为空已将將可被应應该會会和或与與需要至少长度長位个字符加密存储過过期保没沒有修改重置设置設定在吗弱强安全可任意選択]"
    "|です|弱|強|任意|毎月|同じ|安全|ます|ません|ました|ください|必要|必須|無効|有効|間違|正し|入力|未設定|設定|変更|忘れ|文字|以上|ない|ある|いる"
    "|された|する|して|から|まで|ため|とき"
    "|습니다|합니다|암호화|입력|필요|필수|잘못|틀렸|올바르|않|없|있|하세요|변경|만료|유효|무효|저장|되었|됩니다|이상|너무|비어|설정|재설정|분실|일치|선택|매달|같|약하|강하|안전|바꾸|공개|해야|하지|라고|자리"
)

_COPULA = pattern("(?:です|でした|입니다|이에요|예요)$")

KNOWN = frozenset(_WORDS.replace("?", "").split()) - {"admin", "production", "test"}


def is_known(word: str) -> bool:
    """Whether a sentence that goes on with `word` tells something about the secret."""
    small = _COPULA.sub("", word.strip(".,:;!?…()[]{}*_\"'`«»“”。，").lower())
    return (
        small in KNOWN
        or _INFLECTED.fullmatch(small) is not None
        or (not small.isascii() and _WRITTEN_TOGETHER.search(small) is not None)
    )
