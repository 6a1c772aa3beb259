import { type AgeRule, ageRules } from '#contract/age-check.ts';
import { countryName } from '#contract/profiles/countries.ts';
import { address, ConfigError, oneOf, read, refusedInProduction, secretValue, type Environment } from './values.ts';

/** Reads who checks the age of members. Off by default; without a provider, nothing can be required. */
export function readAge(env: Environment, production: boolean, secretMinLength: number) {
  const required = readRequired(env);
  const provider = readProvider(env, production, secretMinLength);
  if (provider === 'off' && Object.values(required).some((rule) => rule !== 'never'))
    throw new ConfigError('AGE_REQUIRED is set, but AGE_PROVIDER, without which no one could fulfil it, is off.');
  return { provider, required };
}

function readProvider(env: Environment, production: boolean, secretMinLength: number) {
  const value = read(env, 'AGE_PROVIDER') ?? 'off';
  if (!value.includes(':')) {
    const word = oneOf(env, 'AGE_PROVIDER', ['off', 'double'], 'off');
    if (word === 'double' && production)
      throw refusedInProduction('AGE_PROVIDER=double', 'anyone could say that they are an adult');
    return word;
  }
  const url = address(env, 'AGE_PROVIDER', production ? ['https:'] : ['https:', 'http:']) ?? '';
  const secret = secretValue(env, 'AGE_SECRET', secretMinLength);
  if (secret === null)
    throw new ConfigError('AGE_PROVIDER is an address, but AGE_SECRET, which signs its answers, is not set.');
  return { url, secret };
}

/** Where the age must be confirmed, by the name of the country; `*` for all others. */
function readRequired(env: Environment): Record<string, AgeRule> {
  const parts = (read(env, 'AGE_REQUIRED') ?? '').split(',').flatMap((part) => part.trim() || []);
  const entries = parts.map((part): [string, AgeRule] => {
    const [code = '', word, ...more] = part.split(':').map((text) => text.trim());
    const country = code === '*' ? '*' : countryName(code);
    const rule = ageRules.find((known) => known === word);
    if (country === undefined || rule === undefined || more.length > 0)
      throw new ConfigError(
        `AGE_REQUIRED must be countries with ${ageRules.join(', ')}, such as "GB:joining,*:never", but has "${part}".`,
      );
    return [country, rule];
  });
  return Object.fromEntries(entries);
}
