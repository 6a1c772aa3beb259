import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { minimumAgeYears } from '#contract/constants.ts';
import { frontDoors, highestMinimumAge } from '#contract/service/settings.ts';
import { SelectField } from '../../../ui/form/Field.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Invitations } from './Invitations.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import type { PartDraft } from './use-draft.ts';
import { WordsField } from './WordsField.tsx';

const ages = Array.from({ length: highestMinimumAge - minimumAgeYears + 1 }, (_, more) => minimumAgeYears + more);

interface FrontDoorPanelProps {
  frontDoor: PartDraft<'frontDoor'>;
  registration: PartDraft<'registration'>;
}

/** What visitors see at the address of the service, and whether they may join. */
export function FrontDoorPanel({ frontDoor, registration }: FrontDoorPanelProps) {
  const doorWords = { signIn: t`The sign-in page`, landing: t`The landing page` };
  const { value, set, errorOf } = registration;
  return (
    <Panel title={t`Front door`} lead={t`What visitors find at the address of the service, and who may join.`}>
      <Stack gap="1.2rem">
        <ChoiceGroup
          type="radio"
          name="frontDoor"
          legend={t`At the address without a path`}
          isRow
          choices={frontDoors.map((door) => ({ value: door, label: doorWords[door] }))}
          chosen={[frontDoor.value]}
          onChange={([door = 'signIn']) => frontDoor.set(door)}
        />
        <ChoiceGroup
          type="radio"
          name="registration"
          legend={t`Who may join`}
          isRow
          choices={[
            { value: 'open' as const, label: t`Everyone` },
            { value: 'invitation' as const, label: t`People with an invitation` },
            { value: 'closed' as const, label: t`No one for now` },
          ]}
          chosen={[value.mode]}
          hint={
            value.mode === 'invitation'
              ? t`With an address and a password only. Members can still use other ways to sign in.`
              : t`Also with Google and Facebook. Members can still sign in.`
          }
          onChange={([mode = 'open']) => set({ ...value, mode })}
        />
        {value.mode !== 'open' && (
          <WordsField
            label={t`Why not everyone can join`}
            description={t`In place of the form to join. Where a language has no text, its readers see the one in the first language, or else any other.`}
            words={value.sentence}
            errorOf={(language) => errorOf(`sentence.${language}`)}
            onChange={(sentence) => set({ ...value, sentence })}
          />
        )}
        <SelectField
          label={t`Minimum age`}
          description={t`For new members. Younger people stay if they have said their birth date. The product's own terms and privacy policy say 18, and can be replaced under Texts.`}
          choices={ages.map((age) => ({ value: String(age), label: formatNumber(age) }))}
          value={value.minimumAge}
          onChange={(event) => set({ ...value, minimumAge: Number(event.currentTarget.value) })}
        />
        <Invitations />
      </Stack>
    </Panel>
  );
}
