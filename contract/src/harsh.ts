import { plain, readings, topicReader } from './readable.ts';

// Each pattern runs in linear time, because its repetitions are bounded.

/** Words that hurt the person who reads them, in English. */
const always = [
  /\bf[u*]+ck(?:ing)? (?:you|u|off|yourself)\b|\bstfu\b|\bgtfo\b|\bkys\b|\bkill (?:yourself|urself)\b|\bneck yourself\b|\b(?:go die|drop dead)\b/,
  /\b(?:hope|wish) (?:you|u) (?:die|get (?:raped|killed|hurt)|rot|suffer)\b|\b(?:go to|rot in|burn in) hell\b/,
  /\b(?:bitch(?:es|y)?|b\*tch|wh[o*]res?|sl[u*]ts?|c[u*]nts?|skanks?|thots?|cumdumpster|hoes|twats?)\b/,
  /\b(?:assholes?|arseholes?|dickheads?|shitheads?|fuckfaces?|motherfuck(?:ers?|ing)|wankers?|douchebags?|scumbags?)\b/,
  /\bpiece of (?:shit|crap|trash|garbage)\b|\bwaste of (?:space|oxygen|air)\b|\b(?:fat|ugly) (?:pig|cow|dog|fuck)\b/,
  /\b(?:fag(?:got)?s?|dykes?|trann(?:y|ies)|shemales?|nigg(?:er|a)s?|chinks?|spics?|kikes?|pakis?|gooks?)\b/,
  /\b(?:wetbacks?|ragheads?|towelheads?|retard(?:s|ed)?)\b/,
  /\bi(?:'?ll| will|'?m going to|'?m gonna| am going to) (?:kill|hurt|beat|rape|find|ruin|destroy|stab|shoot) (?:you|u)\b/,
  /\b(?:you|u)(?:'?ll| will) (?:pay|regret) (?:for )?(?:this|it)\b|\bi know where (?:you|u) live\b|\bwatch your back\b/,
  /\b(?:send|show|give)(?: me)?(?: your| ur| some| the)? (?:nudes|tits|boobs|pussy)\b|\bsuck (?:my|on my) (?:dick|cock)\b/,
  /\b(?:my|a) (?:dick|cock) in (?:you|your|ur)\b|\bsit on my (?:face|dick|cock)\b|\b(?:wanna|want to) (?:fuck|rape|breed) (?:you|u)\b/,
  /\bshut (?:the (?:fuck|hell) )?up\b|\bget (?:lost|bent|stuffed|a life)\b|\bscrew (?:you|u)\b|\b(?:you|u) disgust me\b/,
  /\bi (?:fucking )?(?:hate|despise|loathe) (?:you|u)\b|\b(?:you'?ll|you will|u will) die alone\b/,
  /\bno[ -]?(?:one|body) (?:likes|loves|wants|will ever (?:love|want|like)) (?:you|u)\b/,
];

/** Words that are hurtful if they are about the reader. */
const aboutYou =
  /\b(?:you|u|ur|youre|you're|u r|you look(?: like)?|your face is|what an?)(?: (?:are|is|an?|the|such|so|just|really|very|too|all|complete|total|absolute|fucking|freaking|damn|little|big|fat|old|stupid|dumb|ugly|even)){0,5} (?:idiots?|morons?|imbeciles?|losers?|creeps?|freaks?|pigs?|trash|garbage|pathetic|disgusting|worthless|useless|stupid|dumb|ugly|fat|hideous|brainless|clowns?|bastards?|jerks?|pricks?|scum|gross|repulsive|desperate|psycho|liars?|gold digger)\b/;

/**
 * Hurtful words and phrases in the other languages of the interface; see `topicReader`. Words that are harmless in one of the languages
 * appear only in phrases.
 */
const inOtherLanguages = topicReader({
  german: `fick dich|verpiss dich|halt die fresse|halt die schnauze|halt deine fresse|halts maul|halt's maul|halt dein maul|
    arschloch|arschlöcher|hurensohn|hurensöhne|schlampe|schlampen|du hure|nutte|nutten|fotze|fotzen|wichser|missgeburt|
    drecksau|dreckstück|miststück|schwuchtel|schwuchteln|kanake|kanaken|neger|spast|spasti|du idiot|du depp|du trottel|
    du schwein|du opfer|dumme kuh|blöde kuh|fette sau|fette kuh|du bist hässlich|du bist so hässlich|du bist dumm|
    du bist so dumm|du bist fett|du bist widerlich|du bist ekelhaft|du bist wertlos|du bist nichts wert|du ekelst mich an|
    ich hasse dich|bring dich um|ich mach dich fertig|ich weiß wo du wohnst|ich weiß, wo du wohnst|das wirst du bereuen|
    niemand mag dich|niemand liebt dich|zeig deine titten|zeig mir deine titten|schick nacktbilder|schick mir nacktbilder`,
  french: `ta gueule|va te faire foutre|va te faire enculer|nique ta mère|nique ta race|fils de pute|sale pute|espèce de pute|
    connard|connards|connasse|connasses|salope|salopes|enculé|enculés|pétasse|pouffiasse|sale conne|pauvre conne|t'es con|
    t'es conne|tu es con|tu es conne|grosse vache|gros porc|sale porc|sale arabe|sale noir|sale pédé|tu es moche|t'es moche|
    tu es grosse|t'es grosse|tu es stupide|t'es stupide|tu me dégoûtes|je te déteste|je te hais|va crever|suicide-toi|
    je vais te tuer|je vais te retrouver|je sais où tu habites|tu vas le regretter|personne ne t'aime|envoie des nudes|
    envoie tes nudes|montre tes seins`,
  spanish: `hijo de puta|hija de puta|eres una puta|puta de mierda|hijueputa|gilipollas|pendejo|pendeja|pendejos|maricón|
    maricones|malparido|malparida|eres una zorra|eres una perra|eres un cabrón|vete a la mierda|vete al infierno|cállate|
    cierra la boca|que te jodan|jódete|chinga tu madre|sudaca|eres fea|eres feo|eres gorda|eres gordo|eres idiota|
    eres un idiota|eres una idiota|eres imbécil|eres estúpida|eres estúpido|eres una mierda|eres patética|eres patético|
    me das asco|das asco|te odio|ojalá te mueras|muérete|mátate|te voy a matar|te voy a encontrar|sé dónde vives|
    te vas a arrepentir|nadie te quiere|manda nudes|mándame nudes|enséñame las tetas`,
  portuguese: `filho da puta|filha da puta|sua puta|vai se foder|vá se foder|vai tomar no cu|vai à merda|vagabunda|vadia|
    arrombado|arrombada|otário|otária|babaca|cuzão|viado|desgraçado|desgraçada|seu imbecil|sua imbecil|seu idiota|
    sua idiota|seu lixo|sua nojenta|seu nojento|cala a boca|cala essa boca|você é feia|você é feio|você é gorda|
    você é gordo|você é burra|você é burro|você é ridícula|você é nojenta|te odeio|vou te matar|sei onde você mora|
    você vai se arrepender|ninguém te quer|ninguém te ama|mostra os peitos`,
  polish: `spierdalaj|wypierdalaj|odpierdol się|pierdol się|ty kurwo|ty suko|głupia suka|ty szmato|dziwka|dziwko|pizda|pizdo|
    ty chuju|skurwysyn|skurwysynu|sukinsyn|sukinsynu|zamknij ryj|zamknij mordę|stul pysk|ty idioto|ty idiotko|ty debilu|
    ty kretynie|ty gnoju|ty pedale|ciota|ciapaty|jesteś brzydka|jesteś brzydki|jesteś gruba|jesteś gruby|jesteś głupia|
    jesteś głupi|jesteś żałosna|jesteś żałosny|jesteś obrzydliwa|jesteś obrzydliwy|brzydzę się tobą|nienawidzę cię|
    zabiję cię|zabij się|znajdę cię|wiem gdzie mieszkasz|wiem, gdzie mieszkasz|pożałujesz tego|nikt cię nie kocha|
    nikt cię nie lubi|pokaż cycki`,
  turkish: `orospu|siktir|siktir git|amına koyayım|amına koyim|ananı sikeyim|piç kurusu|şerefsiz|kahpe|kaltak|fahişe|yavşak|
    gerizekalı|geri zekalı|aptalsın|salaksın|çirkinsin|çok çirkinsin|şişkosun|iğrençsin|kes sesini|kapa çeneni|defol|
    gebersin|geber artık|seni öldürürüm|seni öldüreceğim|nerede yaşadığını biliyorum|nerede oturduğunu biliyorum|
    pişman olacaksın|kimse seni sevmiyor|senden nefret ediyorum|ibne|memelerini göster`,
  arabic: `شرموطة|عاهرة|قحبة|يا كلب|يا حمار|يا حيوان|ابن الكلب|بنت الكلب|كس امك|كسمك|منيوك|متناكة|يا غبي|أنت غبي|أنتِ غبية|إنت غبي|إنتي غبية|
    أنت قبيح|أنتِ قبيحة|إنتي قبيحة|يا قذر|يا حقير|يا تافه|اخرس|سد بوزك|انقلع|أكرهك|سأقتلك|راح أقتلك|هقتلك|أعرف أين تسكن|أعرف وين ساكن|
    عارف ساكن فين|ستندم|ما حد يحبك|لا أحد يحبك|الله يلعنك|صور عارية|وريني صدرك`,
});

/** Whether a text may hurt the person who reads it. It is used only for hints, never for decisions. */
export function isHarsh(text: string): boolean {
  const read = plain(text)
    .toLowerCase()
    .replaceAll(/(.)\1{2,}/gu, '$1');
  return readings(read).some(
    (one) => aboutYou.test(one) || always.some((pattern) => pattern.test(one)) || inOtherLanguages(one).size > 0,
  );
}
