import { t } from '@lingui/core/macro';
import { Box, Group, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { Picture as PictureData } from '#contract/media.ts';
import { ownCaseReasonMin, openCase } from '#contract/moderation/own-cases.ts';
import { reportTypes, reportTypeWords } from '#contract/moderation/reports.ts';
import { refreshAfter } from '../../../api/endpoint-query.ts';
import { call } from '../../../api/call.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { CheckField, SelectField, TextArea } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { readMessageLinks } from './message-links.ts';
import type { ActProps } from './act-props.ts';

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

interface PictureChoiceProps {
  pictures: readonly PictureData[];
  /** The ids of the selected pictures. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Selects pictures of the profile as evidence. */
function PictureChoice({ pictures, chosen, onChange }: PictureChoiceProps) {
  const others = (id: string) => chosen.filter((one) => one !== id);
  return (
    <Stack component="fieldset" gap="0.6rem">
      <legend>{t`Pictures that prove it`}</legend>
      {pictures.map((picture, index) => (
        <Group key={picture.publicId} gap="0.75rem" wrap="nowrap">
          <Box w={48} flex="none">
            <Picture picture={picture} alt="" />
          </Box>
          <CheckField
            label={t`Picture ${{ number: formatNumber(index + 1) }}`}
            checked={chosen.includes(picture.publicId)}
            onChange={({ currentTarget: { checked } }) =>
              onChange([...others(picture.publicId), ...(checked ? [picture.publicId] : [])])
            }
          />
        </Group>
      ))}
    </Stack>
  );
}

/** Opens a person's case on the colleague's own initiative, with evidence, and navigates to it. */
export function OpenCaseDialog({ user, name, onClose }: ActProps) {
  const navigate = useNavigate();
  const pictures = user.pictures.filter(({ state }) => state !== 'rejected');
  const form = useForm({
    initial: { problem_type: '', reason: '', mayBeMinor: false, pictures: '', messages: '' },
    draft: `open-case:${user._id}`,
    schema: openCase.body,
    toBody: ({ messages, pictures: named, ...values }) => ({
      ...values,
      pictures: linesOf(named),
      messages: readMessageLinks(messages),
    }),
    check: ({ messages }) =>
      readMessageLinks(messages).length < linesOf(messages).length
        ? [{ field: 'messages', msg: t`Put one link to a message on each line` }]
        : [],
    fieldOf: (field) => field.split('.')[0] ?? field,
    send: async (body) => {
      const { data } = await call(openCase, { params: { id: user._id }, body });
      void refreshAfter(openCase);
      void navigate(`/cases/${data.case._id}`);
    },
    onSent: onClose,
  });
  return (
    <FormDialog
      title={t`Open a case about ${name}`}
      size="sheet"
      form={form}
      sendText={t`Open the case`}
      busyText={t`Opening...`}
      hasKeyHint
      isLong
      onClose={onClose}
    >
      <SelectField
        label={t`What is it about?`}
        required
        data-autofocus
        {...form.bind('problem_type')}
        choices={[
          { value: '', label: t`Please choose` },
          ...reportTypes.map((type) => ({ value: type, label: t(reportTypeWords[type]) })),
        ]}
      />
      <TextArea
        label={t`Reason`}
        required
        rows={4}
        description={t`For the file: what you saw, and where. At least ${{ count: formatNumber(ownCaseReasonMin) }} characters.`}
        {...form.bind('reason')}
      />
      <CheckField
        {...form.bindCheckbox('mayBeMinor')}
        label={t`This person may be under 18`}
        description={t`The case becomes critical.`}
      />
      {pictures.length > 0 && (
        <PictureChoice
          pictures={pictures}
          chosen={linesOf(form.values.pictures)}
          onChange={(chosen) => form.set('pictures', chosen.join('\n'))}
        />
      )}
      <TextArea
        label={t`Links to messages`}
        rows={2}
        description={t`From the evidence of a report that you may open, one link on each line. The profile is always copied.`}
        {...form.bind('messages')}
      />
    </FormDialog>
  );
}
