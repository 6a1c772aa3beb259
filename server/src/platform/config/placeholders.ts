import { secretSettings } from './secret-settings.ts';
import { ConfigError, read, type Environment } from './values.ts';

const wholePlaceholder =
  /^(((my|your)[-_ ]?|(some|the|a)[-_ ])?(password|passwd|secret|token|key)|postgres|minioadmin|…|\.{3,}|x{3,}|\*{3,}|<.*>)$/i;
const placeholderWords =
  /replace|change[-_ ]?(me|this|it)\b|placeholder|your[-_ ]|example|output[-_ ]of|insert[-_ ]|todo\b|dev[-_]only|do[-_]not|openssl|\$[({]|x{4,}|\.{3,}|…/i;
const isPlaceholder = (text: string) => wholePlaceholder.test(text) || placeholderWords.test(text);

/** Random secrets of this length have at least this many different characters; shorter ones may have fewer. */
const long = { length: 32, differentCharacters: 10 };
const differentCharactersOfShort = 6;

/**
 * Whether a secret can't be random: it has few different characters, contains words, repeats one text, or has its
 * characters in order.
 */
function isGuessable(text: string): boolean {
  const fewest = text.length < long.length ? differentCharactersOfShort : long.differentCharacters;
  return new Set(text).size < fewest || isRepeated(text) || isInOrder(text) || /secret|password/i.test(text);
}

/** Whether most characters follow the one before them, as in `abcdef` and `123456`. */
function isInOrder(text: string): boolean {
  const steps = Array.from(text).filter((one, at) => at > 0 && one.charCodeAt(0) === text.charCodeAt(at - 1) + 1);
  return steps.length > text.length / 2;
}

function isRepeated(text: string): boolean {
  const periods = Array.from({ length: Math.floor(text.length / 2) }, (_, at) => at + 1);
  return periods.some((period) => text.startsWith(text.slice(period)));
}

function passwordsIn(addresses: string): string[] {
  return addresses.split(',').flatMap((text) => {
    const url = URL.parse(text.trim());
    if (url === null) return [];
    return [url.password, url.searchParams.get('password') ?? ''].map(decode).filter((password) => password !== '');
  });
}

/** A password that isn't encoded correctly is returned as it is; connecting reports the problem. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Throws `ConfigError` for the first secret that is a placeholder from an example or can be guessed. */
export function refusePlaceholders(env: Environment): void {
  for (const [name, kind] of Object.entries(secretSettings)) {
    const value = read(env, name) ?? '';
    for (const text of kind === 'address' ? passwordsIn(value) : [value]) {
      if (isPlaceholder(text))
        throw new ConfigError(`${name} still contains the placeholder of an example: replace it with the real value.`);
      if (kind === 'chosen' && text !== '' && isGuessable(text))
        throw new ConfigError(`${name} can be guessed: use a random text, such as the output of openssl rand -hex 32.`);
    }
  }
}
