import { plain, readings } from './readable.ts';

// Each pattern runs in linear time: what may repeat is bounded.

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

/** Words that hurt if they are about the reader. */
const aboutYou =
  /\b(?:you|u|ur|youre|you're|u r|you look(?: like)?|your face is|what an?)(?: (?:are|is|an?|the|such|so|just|really|very|too|all|complete|total|absolute|fucking|freaking|damn|little|big|fat|old|stupid|dumb|ugly|even)){0,5} (?:idiots?|morons?|imbeciles?|losers?|creeps?|freaks?|pigs?|trash|garbage|pathetic|disgusting|worthless|useless|stupid|dumb|ugly|fat|hideous|brainless|clowns?|bastards?|jerks?|pricks?|scum|gross|repulsive|desperate|psycho|liars?|gold digger)\b/;

/** Whether a text may hurt the person who reads it. Only hints follow from it, never a decision. */
export function isHarsh(text: string): boolean {
  const read = plain(text)
    .toLowerCase()
    .replaceAll(/(.)\1{2,}/gu, '$1');
  return readings(read).some((one) => aboutYou.test(one) || always.some((pattern) => pattern.test(one)));
}
