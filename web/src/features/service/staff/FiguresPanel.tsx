import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { type Figure, figuresIn, figureSources, type OwnFigures } from '#contract/service/figures.ts';
import { type Language, languages } from '#contract/languages.ts';
import { figuresCount } from '#contract/service/settings.ts';
import { TextField } from '../../../ui/form/Field.tsx';
import { ChoiceGroup, FieldRow } from '../../../ui/form/Form.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Well } from '../../../ui/layout/text-blocks.tsx';
import { FigureList } from '../FigureList.tsx';
import type { PartDraft } from './use-draft.ts';
import { LanguageSelect, useFirstLanguage } from './WordsField.tsx';

const noFigures = Array.from({ length: figuresCount }, () => ({ value: '', label: '' }));

interface OwnFieldsProps {
  own: OwnFigures;
  errorOf: (field: string) => string | undefined;
  onChange: (own: OwnFigures) => void;
}

/** Four figures with their words, one language at a time. */
function OwnFields({ own, errorOf, onChange }: OwnFieldsProps) {
  const errorIn = (one: Language, index: number, part: keyof Figure) => errorOf(`own.${one}.${index}.${part}`);
  const isWrong = (one: Language) =>
    noFigures.some((_, index) => errorIn(one, index, 'value') ?? errorIn(one, index, 'label'));
  const isWritten = (one: Language) => own[one]?.some(({ value }) => value !== '') === true;
  const [chosen, setChosen] = useFirstLanguage(isWritten);
  const language = languages.find(isWrong) ?? chosen;
  const figures = own[language] ?? noFigures;
  const change = (index: number, changed: Partial<Figure>) =>
    onChange({ ...own, [language]: figures.map((figure, at) => (at === index ? { ...figure, ...changed } : figure)) });
  const shown = figuresIn(own, language);
  return (
    <>
      <LanguageSelect value={language} isWritten={isWritten} onChange={setChosen} />
      {figures.map(({ value, label }, index) => (
        // The figures have no names other than their positions.
        <FieldRow key={index}>
          <TextField
            label={t`Figure ${{ number: index + 1 }}`}
            lang={language}
            value={value}
            error={errorIn(language, index, 'value') ?? (index === 0 ? errorOf('own') : undefined)}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <TextField
            label={t`Words below figure ${{ number: index + 1 }}`}
            lang={language}
            value={label}
            error={errorIn(language, index, 'label')}
            onChange={(event) => change(index, { label: event.currentTarget.value })}
          />
        </FieldRow>
      ))}
      {shown.length > 0 && (
        <Stack component="figure" gap="0.5rem" m={0} aria-label={t`Preview of the figures`}>
          <Text component="figcaption" fw={500}>
            {t`Preview`}
          </Text>
          <Well p={0}>
            <FigureList figures={shown} />
          </Well>
        </Stack>
      )}
    </>
  );
}

/** The figures on the page Home. */
export function FiguresPanel({ draft: { value: figures, set, errorOf } }: { draft: PartDraft<'figures'> }) {
  // Errors in them reject the whole body, even while other figures are chosen.
  const hasOwnErrors = Object.entries(figures.own).some(([one, those = []]) =>
    those.some((_, index) => errorOf(`own.${one}.${index}.value`) ?? errorOf(`own.${one}.${index}.label`)),
  );
  const { source, own } = figures;
  const hints = {
    usual: undefined,
    own: t`Where a language has none, its readers see those in the first language, or else any other.`,
    live: t`Members, and the sign-ups, matches and conversations of the last thirty days. Counts below 100 are left out.`,
  };
  const words = { usual: t`The usual ones: 50K+, 1K+, 95%, 24/7`, own: t`Own words`, live: t`Counts, rounded down` };
  return (
    <Panel title={t`Figures on Home`} lead={t`What members read below the welcome.`}>
      <Stack gap="1.2rem">
        <ChoiceGroup
          type="radio"
          name="figures"
          legend={t`Which figures`}
          choices={figureSources.map((value) => ({ value, label: words[value] }))}
          chosen={[source]}
          hint={hints[source]}
          onChange={([chosen = 'usual']) => set({ ...figures, source: chosen })}
        />
        {(source === 'own' || hasOwnErrors) && (
          <OwnFields own={own} errorOf={errorOf} onChange={(changed) => set({ ...figures, own: changed })} />
        )}
      </Stack>
    </Panel>
  );
}
