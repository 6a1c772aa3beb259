import { plain, readings } from './readable.ts';

// Each pattern runs in linear time: what may repeat is bounded.

/** Words that hurt the person who reads them, in English. */
const always = new RegExp(
  String.raw`\b(?:${[
    'f[u*]+ck(?:ing)? (?:you|u|off|yourself)|stfu|gtfo|kys|kill (?:yourself|urself)|neck yourself|go die|drop dead',
    '(?:hope|wish) (?:you|u) (?:die|get (?:raped|killed|hurt)|rot|suffer)|go to hell|rot in hell|burn in hell',
    'bitch(?:es|y)?|b[*]tch|wh[o*]res?|sl[u*]ts?|c[u*]nts?|skanks?|thots?|cumdumpster|hoes|twats?',
    'assholes?|arseholes?|dickheads?|shitheads?|fuckfaces?|motherfuck(?:ers?|ing)|wankers?|douchebags?|scumbags?',
    'piece of (?:shit|crap|trash|garbage)|waste of (?:space|oxygen|air|time and space)|fat (?:pig|cow|fuck|bitch)|ugly (?:pig|cow|dog)',
    'fag(?:got)?s?|dykes?|trann(?:y|ies)|shemales?|nigg(?:er|a)s?|chinks?|spics?|kikes?|pakis?|gooks?|wetbacks?|ragheads?|towelheads?|retard(?:s|ed)?',
    "i(?:'?ll| will|'?m going to|'?m gonna| am going to) (?:kill|hurt|beat|rape|find|ruin|destroy|stab|shoot) (?:you|u)|(?:you|u)(?:'?ll| will) (?:pay|regret) (?:for )?(?:this|it)|i know where (?:you|u) live|watch your back",
    '(?:send|show|give)(?: me)? (?:your |ur |some |the )?(?:nudes|tits|boobs|pussy)|suck (?:my|a|on my) (?:dick|cock)|(?:my|a) (?:dick|cock) in (?:you|your|ur)|sit on my (?:face|dick|cock)|(?:wanna|want to) (?:fuck|rape|breed) (?:you|u)',
    "shut (?:the (?:fuck|hell) )?up|get (?:lost|bent|stuffed|a life)|screw (?:you|u)|(?:you|u) disgust me|i (?:fucking )?(?:hate|despise|loathe) (?:you|u)|no(?: |-)?(?:one|body) (?:likes|loves|wants|will ever (?:love|want|like)) (?:you|u)|(?:you'?ll|you will|u will) die alone",
  ].join('|')})(?![a-z])`,
);

/** Words that hurt if they are about the reader. */
const aboutYou = new RegExp(
  String.raw`\b(?:you|u|ur|youre|you're|you are|u r|you look(?: like)?|your face is|what an?)(?: (?:are|is|a|an|the|such|so|just|really|very|too|all|bunch of|complete|total|absolute|fucking|freaking|damn|little|big|fat|old|stupid|dumb|ugly|even)){0,5} (?:${[
    'idiots?|morons?|imbeciles?|losers?|creeps?|freaks?|pigs?|trash|garbage|pathetic|disgusting|worthless|useless|stupid|dumb|ugly',
    'fat|hideous|brainless|clowns?|bastards?|jerks?|prick|pricks|scum|gross|repulsive|desperate|psycho|crazy bitch|liars?|gold digger',
  ].join('|')})(?![a-z])`,
);

/** Whether a text may hurt the person who reads it. Only hints follow from it, never a decision. */
export function isHarsh(text: string): boolean {
  const read = plain(text)
    .toLowerCase()
    .replaceAll(/(.)\1{2,}/gu, '$1');
  return readings(read).some((one) => always.test(one) || aboutYou.test(one));
}
