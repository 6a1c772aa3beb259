import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { partNames, type PartName } from '#contract/service/parts.ts';
import { CheckField } from '../../../ui/form/Field.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import type { PartDraft } from './use-draft.ts';

const words: Record<PartName, Record<'name' | 'about', MessageDescriptor>> = {
  dates: {
    name: msg`Dates`,
    about: msg`Planning a date with a match. When it is switched off, coming dates are canceled, and both people get a notice.`,
  },
  voice: { name: msg`Voice messages`, about: msg`Those that were sent can still be heard.` },
  photos: { name: msg`Photos in messages`, about: msg`Those that were sent can still be seen.` },
  people: {
    name: msg`People`,
    about: msg`The list of everyone, with its search. Bookmarks stay, and staff can still search.`,
  },
  notices: {
    name: msg`Notices from outside`,
    about: msg`The form for people who are not members. Notices that came are still handled and answered. In the EU, the law demands such a form.`,
  },
};

/** The parts of the service, with switches. */
export function PartsPanel({ draft: { value: parts, set } }: { draft: PartDraft<'parts'> }) {
  return (
    <Panel
      title={t`Parts`}
      lead={t`A part that is off has no screen, and nothing offers it. Existing content stays readable and in people's downloads, so the privacy policy and the terms still name it. You can change them under Texts.`}
    >
      <Stack gap="1rem">
        {partNames.map((part) => (
          <CheckField
            key={part}
            label={t(words[part].name)}
            description={t(words[part].about)}
            checked={parts[part]}
            onChange={(event) => set({ ...parts, [part]: event.currentTarget.checked })}
          />
        ))}
      </Stack>
    </Panel>
  );
}
