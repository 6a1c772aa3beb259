import { everywhere } from '#contract/moderation/help-lines.ts';
import { countryName } from '#contract/profiles/countries.ts';
import { t } from '../../../ui/text/text.ts';

/** The name of a help line's country. */
export const countryWord = (code: string): string =>
  code === everywhere ? t('Everywhere') : (countryName(code) ?? code);
