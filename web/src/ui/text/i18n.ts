import { I18n, type MessageDescriptor } from '@lingui/core';
import { speakBy } from '#contract/said.ts';
import { verbatim } from '#contract/text.ts';
import { minimumAge, onBrand, presentBrand } from '../../brand.ts';
import { isolated, language, locale } from './text.ts';

type Values = NonNullable<MessageDescriptor['values']>;

const isolatedValues = (values: Values = {}): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolated(verbatim(value)) : value,
    ]),
  );

/** Lingui's texts, all of which may use `{brand}` and `{minimumAge}`. Values are unchanged, and their direction does not affect the words and numbers around them. */
export class Texts extends I18n {
  override _(text: string | MessageDescriptor, values?: Values, options?: { message?: string }): string {
    const { id, ...more } = typeof text === 'string' ? { id: text, values, ...options } : { values, ...text };
    const { name: brand } = presentBrand();
    return super._({ id, ...more, values: isolatedValues({ brand, minimumAge: minimumAge(), ...more.values }) });
  }
}

/** The texts of the interface in the reader's language; the macros `t` and `plural` compile to these. */
export const i18n = new Texts({});
i18n.load(language, {});
i18n.activate(language, locale);
// Renders the screen again, as after a change of language.
onBrand(() => i18n.activate(i18n.locale, locale));
speakBy(
  (text) => i18n._(text),
  () => i18n.locale,
);

/** A text from a table with its placeholders filled in. */
export const fill = (text: MessageDescriptor, values: Values): string => i18n._({ ...text, values });
