import { areNear, readings, topicReader } from '#contract/readable.ts';

/**
 * The words and phrases of messages about money, in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian,
 * Ukrainian, Turkish, Arabic, Hindi, Chinese, Japanese and Korean. `topicReader` describes how entries are written.
 */
const moneyWords = {
  // Each of these is enough on its own.
  crypto: `crypto|crypto-|cripto-|criptomoneda-|criptovalut-|krypto-|kripto|kripto-|крипт-|біткоїн-|биткоин-|
    биткойн-|bitcoin-|btc|ethereum|usdt|ether wallet|forex|binance|coinbase|metamask|trust wallet|
    العملات الرقمية|عملات رقمية|العملات المشفرة|بيتكوين|بتكوين|क्रिप्टो|बिटकॉइन|虚拟货币|虛擬貨幣|加密货币|数字货币|比特币|炒币|
    仮想通貨|暗号資産|ビットコイン|비트코인|가상화폐|암호화폐|코인 투자|คริปโต|บิตคอยน์|tiền ảo|aset kripto`,
  service: `gift card|gift cards|giftcard-|itunes card|itunes cards|steam card|steam cards|amazon card|
    google play card|apple card|vanilla card|western union|moneygram|money gram|wire transfer|bank transfer|
    cash app|cashapp|cashtag|paypal|pay pal|venmo|zelle|revolut|iban|geschenkkarte-|gutscheinkarte-|
    guthabenkarte-|google-play-kart-|google play kart-|itunes-kart-|steam-kart-|paysafe-|carte cadeau|
    cartes cadeaux|carte pcs|transcash|neosurf|carte itunes|carte google|tarjeta de regalo|tarjetas de regalo|
    bizum|cartão presente|vale-presente|gift card-|um pix|pix de|meu pix|chave pix|pelo pix|faz pix|
    carta regalo|carte regalo|buono regalo|postepay|cadeaukaart-|cadeaubon-|tikkie|betaalverzoek-|
    karta podarunkowa|kartę podarunkową|blik|подарочную карту|qiwi|papara|hediye kart-|
    بطاقة هدايا|بطاقات هدايا|بطاقة ايتونز|ويسترن يونيون|गिफ्ट कार्ड|पेटीएम|礼品卡|禮品卡|点卡|充值卡|ギフトカード|プリペイドカード|
    itunesカード|기프트카드|기프트 카드|상품권|문화상품권`,
  sugar: `sugar daddy|sugar baby|sugar mommy|sugar mummy|sugar momma|sugardaddy|sugarbaby|sugar mama|sugarmama|
    weekly allowance|monthly allowance|weekly payment|taschengeld pro|sponsor-ka|папик|папика|спонсора|
    содержанк-|شوجر دادي|शुगर डैडी|包养|糖爹|パパ活|슈가대디|스폰서`,
  verification: `verification code|confirmation code|security code|login code|sms code|whatsapp code|otp|one-time code|
    one time code|bestätigungscode-|verifizierungscode-|sicherheitscode-|sms-code-|code de vérification|
    code de confirmation|code sms|código de verificación|código de confirmación|código sms|
    código de verificação|código de confirmação|codice di verifica|codice di conferma|codice sms|
    verificatiecode-|bevestigingscode-|sms-code|kod weryfikacyjny|kod potwierdzający|kod sms|
    kodu weryfikacyjn-|код подтверждения|код из смс|код с смс|смс-код|код из sms|код підтвердження|
    doğrulama kod-|onay kod-|sms kod-|رمز التحقق|كود التحقق|رمز التأكيد|کد تایید|ओटीपी|सत्यापन कोड|验证码|驗證碼|
    認証コード|認証番号|確認コード|인증번호|인증 번호|인증코드|รหัส otp|mã otp|mã xác nhận|kode otp|kode verifikasi`,
  promise: `guaranteed profit|guaranteed profits|guaranteed return|guaranteed returns|daily profit|daily profits|
    passive income|financial freedom|financially free|financial independence|business opportunity|
    investment opportunity|investment plan|investment platform|trading platform|trading account|trading tips|
    trading signals|gives me signals|double your money|double my money|doubles my money|double your savings|
    double your|passives einkommen|finanzielle freiheit|finanziell frei|revenu passif|liberté financière|
    libertad financiera|ingresos pasivos|renda passiva|liberdade financeira|reddito passivo|
    libertà finanziaria|passief inkomen|financiële vrijheid|dochód pasywny|wolność finansowa|пассивный доход|
    финансовая свобода|pasif gelir|finansal özgürlük|bank details|bank account details|card number|
    account number|bankverbindung|kontodaten|kartennummer|coordonnées bancaires|ton rib|numéro de carte|
    datos bancarios|número de tarjeta|dados bancários|número do cartão|dati bancari|bankgegevens|
    dane do przelewu|номер карты|реквизиты|kart numaran-|رقم بطاقتك|رقم حسابك|银行卡号|口座番号|계좌번호|customs fee|
    customs fees|customs duty|customs charge|clearance fee|delivery fee|pay you back|pay it back|
    pay back double|pay first|pay upfront|thought about investing|receive a payment|receive payments`,
  // These count only in pairs.
  lend: `lend|loan me|borrow|leihen|leihst|leih|borgen|borgst|prêter|prête|prêtes|dépanner|dépannes|avancer|
    prestar|préstame|prestas|prestarme|prestes|emprestar|empresta|emprestas|me adianta|prestare|prestarmi|
    presti|prestami|prestito|lenen|leen|voorschieten|pożyczyć|pożyczysz|pożycz|pożyczka|půjčit|půjčíš|låna|
    låne|lainata|împrumuta|împrumut|одолжи-|одолжить|займи|занять|в долг|взаймы|позич-|borç|تقرضني|تسلفني|
    أقرضني|سلفني|سلفة|قرض|उधार|借我|借给我|能借|借点|借钱|借錢|貸して|貸し|빌려`,
  give: `send|sending|transfer|wire|schick|schicke|schicken|schickst|überweis-|sende|senden|envoyer|envoie|envoies|
    envoie-moi|virer|virement|envía-|envíame|enviar|mandar|mándame|manda|manda-me|mandas|transferir|transfere|
    transfiere|envia|inviare|inviami|invii|mandami|mandi|mandarmi|bonifico|stuur|sturen|overmaken|wyślij|
    wysłać|przelej|przelew|prześlij|переведи-|перевести|пришли|скинь|скинуть|отправь|перекинь|вышли|переказ-|
    надішли|скинути|gönder-|yolla-|havale|أرسل-|ترسل|حول لي|تحول لي|भेज|打钱|转账|转我|汇款|给我转|打给我|送金|振り込|送って|보내|송금|
    입금|이체`,
  need: `i need|i must pay|i really need|i just need|i desperately need|i only need|need some|brauche|benötige|ich bräuchte|
    j’ai besoin|besoin d’|besoin de|il me faut|il me manque|necesito|me falta|me faltan|preciso|
    estou precisando|ho bisogno|mi servono|mi serve|heb nodig|nodig|potrzebuję|potrzebne|brakuje mi|нужны|
    нужно|нужна|не хватает|потрібні|потрібно|ihtiyacım|lazım|gerekiyor|أحتاج|احتاج|محتاج|بحاجة|चाहिए|ज़रूरत|
    जरूरत|需要|急需|必要|足りな|필요`,
  money: `money|cash|fund|funds|geld|argent|d’argent|dinero|plata|dinheiro|grana|soldi|denaro|pieniądze|pieniędzy|
    kasę|kasy|peníze|peněz|pengar|penger|penge|rahaa|bani|pénzt|деньги|денег|деньгами|денежк-|гроші|грошей|
    المال|مال|فلوس|مبلغ|نقود|पैसे|पैसा|पैसों|रुपये|paise|paisa|钱|錢|お金|現金|돈|เงิน|tiền|uang|para gönder-|
    para lazım|para ver-|para yolla-|biraz para|parayı|paraya ihtiyac-`,
  help: `help me|your help|need help|please help|can you help|could you help|hilf mir|hilfst|aide-moi|aides|ayúdame|ayudarme|
    ayudas|me ajuda|ajudas|aiutami|aiutarmi|aiuti|help je|pomóż|pomożesz|помоги-|поможешь|допоможи-|yardım|
    ساعدني|تساعدني|मदद|帮我|帮帮我|幫我|助けて|助けてくれ|도와|mir helfen|m’aider|ayúdanos|pode ajudar|je me helpen|mi pomóc|
    мне помочь|можешь помочь`,
  pay: `you pay|be paid|zahlen|zahlst|bezahlen|payer|paies|payes|régler|paga|pagar|pagas|págame|pague|pagare|
    paghi|pagami|pagarmi|betalen|betaalt|zapłać|zapłacić|zapłacisz|opłacić|opłać|оплати-|оплатить|заплати-|
    заплатить|сплати-|öde|öder-|ödemen|ödeme-|ödeyebilir-|ادفع|تدفع|دفع|भुगतान|चुका|支付|支払|결제|내 줄|내야|내줄|
    please pay|can pay|could you pay|can you pay|only pay|pay my|pay the|pay for my|pay me|cannot pay|
    can’t pay|付钱|付款|交钱|付税|付费|付运费|払って|払え|payer les|ödenmesi`,
  customs: `customs|zoll|zollgebühr-|douane|douanes|la aduana|aduana|aduanas|alfândega|dogana|doganali|douanekosten|
    celny|celnym|celne|cło|cła|таможн-|митниц-|митн-|gümrük-|gümrükte|الجمارك|جمارك|الجمرك|कस्टम|海关|海關|清关|税関|
    関税|세관|통관|관세`,
  parcel: `parcel|package|courier|consignment|my box|paket|päckchen|colis|paquete|encomenda|pacote|pacco|pakket|
    pakje|paczka|paczkę|paczki|przesyłka|посылк-|посылка|бандероль|посилк-|kargo|paket-|paketim|الطرد|طرد|
    طردا|शिपमेंट|पार्सल|पैकेज|包裹|快递|荷物|小包|소포|택배`,
  trouble: `hospital|surgery|operation|accident|stolen|robbed|stuck|stranded|rent|school fees|fee|fees|lawyer|
    krankenhaus|operiert|unfall|gestohlen|miete|l’hôpital|hôpital|opération|volé|bloqué|loyer|operación|
    accidente|enfermo|enferma|robaron|alquiler|doente|acidente|aluguel|roubaram|ospedale|operazione|incidente|
    rubato|affitto|ziekenhuis|operatie|ongeluk|gestolen|huur|szpital-|szpitalu|operacj-|wypadek|czynsz|
    ukradli|больниц-|операци-|авари-|украли|лечени-|аренд-|лікарн-|операці-|hastane-|ameliyat-|kaza|çaldı-|
    kira|المستشفى|مستشفى|عملية|حادث|إيجار|अस्पताल|ऑपरेशन|किराया|इलाज|住院|手术|医院|房租|入院|手術|家賃|입원|수술|병원|월세|
    hospital bill|my tax|taxes|my bills`,
  journey: `visa|ticket|flight|passport|visum|flug|flugticket|flugzeug|billet|billete|pasaje|visado|vuelo|passagem|
    visto|biglietto|volo|vliegticket|bilet|wizę|wiza|билет-|визу|виза|квиток|візу|bilet-|vize-|uçak|التذكرة|
    تذكرة|التأشيرة|تأشيرة|टिकट|वीज़ा|वीजा|机票|签证|航空券|ビザ|飛行機|비행기|비자|항공권`,
  deposit: `deposit|upfront|up front|kaution|anzahlung|la caution|acompte|fianza|depósito|señal|caução|sinal|caparra|
    deposito|acconto|borg|aanbetaling|kaucję|kaucja|zaliczkę|zaliczka|залог|предоплат-|завдаток|передоплат-|
    kapora|depozito|عربون|تأمين|डिपॉज़िट|जमानत|押金|定金|敷金|前金|手付金|보증금|계약금`,
  invest: `invest|investing|investment|investments|investiere|investieren|investis|investir|investissement|invertir|
    invierte|inversión|inversiones|investe|investindo|investimento|investimenti|investire|investi|beleggen|
    investeer|investeren|investering|inwestuj|zainwestuj|inwestować|inwestycj-|инвестируй-|инвестиц-|
    инвестировать|вложи|вложить|інвестуй-|інвестиц-|yatırım-|استثمار-|استثمر|استثمارات|निवेश|投资|投資|炒股|理财|투자|
    trading|trade|trader`,
  earn: `earn|earns|earning|you earn|verdien|verdiene|verdienst|verdienen|bekommst|gagne|gagner|gagnes|gano|ganar|
    ganas|ganancias|ganho|ganhar|ganha|guadagno|guadagnare|guadagni|guadagna|verdient|krijgt|zarabiam|
    zarabiać|zarobić|zarobisz|zysk-|зарабатыва-|заработ-|получишь|прибыл-|доход-|заробля-|заробіт-|kazan-|
    kazanç|kâr|أربح|ربح|أرباح|تربح|कमा|मुनाफा|दोगुना|赚|賺|盈利|收益|翻倍|稼|儲|利益|벌어|수익|돈을 벌|벌고|벌 수`,
  teach: `teach|show you|teach you|guide you|ask me how|mentor|uncle|aunt|broker|analyst|signals|zeige|beibringen|
    enseño|enseñarte|ensino|te ensino|quer aprender|insegno|insegnarti|laat je zien|nauczę|pokażę|naucz|научу|
    научить|покажу|навчу|öğret-|أعلمك|أريك|सिखा|教我|教你|带你|帶你|教え|알려|가르쳐|leer je|leer het je|zeige dir|
    t’explique|te explico|te muestro|te mostro|ti mostro|ti spiego`,
  profit: `profit|profits|profitable|returns|gains|income|gewinn|gewinne|rendite|bénéfices|rendement|ganancias|lucro|
    lucros|profitto|profitti|winst|zysk-|прибыл-|доход-|kâr|kazanç|أرباح|मुनाफा|दोगुना|翻倍|收益|盈利|利益|儲|수익|
    no risk|risk free|risk-free|ohne risiko|risikolos|sans risque|sin riesgo|sem risco|senza rischi|
    senza rischio|zonder risico|bez ryzyka|без риска|без ризику|risksiz|بدون مخاطر|बिना जोखिम|零风险|稳赚|无风险|
    リスクなし|絶対儲|위험 없이|원금 보장`,
  code: `the code|a code|your code|code on the|6 digits|six digits|six-digit|den code|der code|le code|el código|
    o código|il codice|un codice|de code|kod|kodu|код|kodunu|الرمز|رمز|الكود|كود|कोड|代码|数字码|кода|the 6|
    numéro reçu`,
  tell: `tell me|send the code|send code|send me|send it|sent you|sent to your|give me|read me|forward|schick|sag|sagst|gib|envoie-moi|
    dis-moi|donne-moi|envíame|mándame|dime|pásame|me manda|me envia|me passa|me diz|mandami|dimmi|inviami|
    stuur me|stuur mij|geef me|zeg me|wyślij|podaj|prześlij|скинь|пришли|скажи|продиктуй|отправь|назови|
    надішли|gönder-|söyle-|أرسل-|أعطني|ابعث|भेज|बता|发给我|發給我|告诉我|告訴我|送って|教えて|알려|보내`,
  pictures: `pictures|photos|pics|videos|nudes|bilder|fotos|vidéos|vídeos|foto|video|zdjęcia|фото|видео|fotoğraf-|صور|
    صوري|तस्वीरें|照片|写真|사진`,
  private: `private|hot|naked|privat|privaten|privée|privées|privadas|íntimas|privé|prywatne|интимн-|özel|خاصة|私密|裸|비밀`,
  fortune: `inheritance|my will|million dollars|million euros|millions of|gold bars|erbschaft|héritage|herencia|
    herança|eredità|erfenis|spadek|spadku|наследств-|miras|ميراث|विरासत|遗产|遺産|유산`,
  offer: `spoil you|your bills|allowance|work from home|from home|no experience|you keep|financially|nebenverdienst|
    heimarbeit|travail à domicile|trabajo desde casa|trabalhe em casa|lavoro da casa|thuiswerk|praca w domu|
    удалённая работа|evden çalış-|在家|兼职|副業|在宅|부업`,
} as const;

const readTopics = topicReader(moneyWords, [
  [
    'sum',
    /[$€£₹¥₽₺₩₪] ?\d|\d ?k? ?(?:[$€£₹¥₽₺₩₪元円원]|万円|천만|만 ?원|块|(?:dollar|euro|pound|usd|eur|gbp|bucks|quid|reais|real|pesos?|soles|zl|lir|tl|rub|руб|грн|грив|долл|евро|dolar|دولار|ريال|درهم|جنيه|يورو|लाख|रुपये|हजार))|[一二两三四五六七八九十百千万]{1,6}(?:块|元)/g,
  ],
  [
    'hundreds',
    /\d{3}|\d[.,]\d{3}|\d ?k\b|\d ?(?:mil|thousand|tausend|mila|tys|тыс|bin|千|万)|\bthousands\b|[两三四五六七八九百千万]{2,6}/g,
  ],
  ['percent', /\d ?%/g],
]);
type Topic = ReturnType<typeof readTopics> extends ReadonlyMap<infer Key, unknown> ? Key : never;

/** Topics that are enough on their own. */
const plainly: Topic[] = ['crypto', 'service', 'sugar', 'verification', 'promise'];

/** Topics that together are a request for money or an offer of it. */
const together: [Topic, ...Topic[]][] = [
  ['lend', 'money'],
  ['lend', 'sum'],
  ['give', 'money'],
  ['give', 'sum'],
  ['need', 'money'],
  ['need', 'hundreds', 'journey'],
  ['need', 'hundreds', 'trouble'],
  ['need', 'hundreds', 'customs'],
  ['help', 'sum'],
  ['help', 'money'],
  ['help', 'trouble'],
  ['pay', 'customs'],
  ['parcel', 'customs'],
  ['pay', 'parcel'],
  ['pay', 'trouble'],
  ['pay', 'deposit'],
  ['deposit', 'give'],
  ['invest', 'hundreds'],
  ['invest', 'profit'],
  ['invest', 'teach'],
  ['invest', 'money'],
  ['earn', 'hundreds'],
  ['earn', 'percent'],
  ['earn', 'teach'],
  ['earn', 'invest'],
  ['profit', 'hundreds'],
  ['code', 'tell'],
  ['pictures', 'sum', 'private'],
  ['pictures', 'sum', 'pay'],
  ['fortune', 'pay'],
  ['fortune', 'give'],
  ['fortune', 'help'],
  ['fortune', 'trouble'],
  ['offer', 'hundreds'],
  ['offer', 'percent'],
];

const patterns = [
  /\b(?:bc1|0x)[a-z0-9]{20,}\b/,
  /\b(?:send|lend|borrow|transfer|wire)\b.{0,30}(?:\bmoney\b|\bcash\b|\bfunds?\b|[$€£] ?\d|\d ?(?:[$€£]|(?:dollars|euros?|pounds|usd|eur)\b))/,
  /\bi need \d{2,5} (?:for|to)\b/,
  // Matches "Put in 500 and get 5000 back" and "turned $200 into $10k".
  /\b(?:put in |turn(?:s|ed)? |from [$€£])[$€£]?\d[\d.,]{1,9}k? .{0,20}[$€£]?\d[\d.,]{1,9}k?\b/,
];

/** A Bitcoin address, in which capitals matter. */
const wallet = /\b[13][a-km-zA-HJ-NP-Z1-9]{25,34}\b/;

function says(read: string): boolean {
  const topics = readTopics(read);
  return plainly.some((topic) => topics.has(topic)) || together.some((pair) => areNear(topics, ...pair));
}

/** Whether a normalised text asks for money or codes, or offers easy money. */
export function asksForMoney(read: string): boolean {
  const lower = read.toLowerCase();
  return wallet.test(read) || patterns.some((pattern) => pattern.test(lower)) || readings(lower).some(says);
}
