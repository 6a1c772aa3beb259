import { plural, t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonMaxLength, reportTextMaxLength } from '#contract/constants.ts';
import {
  type BulkKind,
  type BulkProgress as Act,
  messageAloneMax,
  requestBulkApproval,
  startBulk,
} from '#contract/moderation/bulk.ts';
import { noteMaxLength } from '#contract/moderation/user-file.ts';
import { refreshAfter } from '../../../../api/endpoint-query.ts';
import { errorCode } from '../../../../api/api-error.ts';
import { call } from '../../../../api/call.ts';
import { FormDialog } from '../../../../ui/feedback/FormDialog.tsx';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../../ui/feedback/PageStates.tsx';
import { SelectField, TextArea } from '../../../../ui/form/Field.tsx';
import { useForm } from '../../../../ui/form/use-form.ts';
import { formatNumber } from '../../../../ui/text/format.ts';
import { personName } from '../../../../ui/text/person.ts';
import { unitsFor } from '../../../../ui/text/text.ts';
import type { TagChoices } from '../more-filter-words.ts';
import { BulkProgress } from './BulkProgress.tsx';
import { bulkWords, skipText } from './bulk-words.ts';
import { actOf, type BulkValues, previewQuery } from './queries.ts';
import type { Chosen, Selection } from './use-user-selection.ts';

interface PreviewProps {
  selection: Selection;
  kind: BulkKind;
  tagId: string;
}

/** The people an act affects, with five examples, and the people who are left out. */
function Preview({ selection, kind, tagId }: PreviewProps) {
  const query = useQuery(previewQuery(selection, kind, tagId));
  return (
    <QueryStates
      query={query}
      loadingText={t`Checking who is affected...`}
      skeleton="6rem"
      errorText={(error) => t`Couldn’t check who is affected: ${error}`}
    >
      {({ fitting, examples, skipped }) => (
        <Stack gap="0.5rem" aria-live="polite">
          <Text fw={600}>
            {t`${plural({ count: fitting }, { 0: 'No one is affected', one: '# person is affected', other: '# people are affected' })}`}
          </Text>
          {examples.length > 0 && (
            <Text dir="auto">
              {examples.map((user) => personName(user) ?? t`Unknown`).join(', ')}
              {fitting > examples.length && ` ${t`and ${{ count: formatNumber(fitting - examples.length) }} more`}`}
            </Text>
          )}
          {skipped.length > 0 && (
            <div>
              <Text c="dimmed">{t`Left out:`}</Text>
              <ul>
                {skipped.map(({ why, count }) => (
                  <li key={why}>{skipText(kind, why, count)}</li>
                ))}
              </ul>
            </div>
          )}
        </Stack>
      )}
    </QueryStates>
  );
}

interface UserBulkDialogProps {
  kind: BulkKind;
  chosen: Chosen;
  tags: TagChoices;
  /** The act was started, so the selection can be cleared. */
  onStarted: () => void;
  /** An administrator was asked to approve it. */
  onAsked: (text: string) => void;
  onClose: () => void;
}

/** Asks for the input of an act, shows the people it affects, and after the start its progress. */
export function UserBulkDialog({ kind, chosen, tags, onStarted, onAsked, onClose }: UserBulkDialogProps) {
  const { selection } = chosen;
  const [act, setAct] = useState<Act | null>(null);
  const [isRefused, setRefused] = useState(false);
  const preview = useQuery({ ...previewQuery(selection, kind, ''), enabled: kind === 'notice' });
  const needsApproval = kind === 'notice' && (isRefused || (preview.data?.fitting ?? 0) > messageAloneMax);
  const bodyOf = (values: BulkValues) => ({ selection, act: actOf(kind, values), reason: values.reason });
  const form = useForm({
    initial: { tagId: '', text: '', reason: '' },
    schema: startBulk.body,
    toBody: bodyOf,
    fieldOf: (field) => field.replace(/^act\./, ''),
    check: ({ tagId }) => (needsTag && tagId === '' ? [{ field: 'tagId', msg: t`Choose a tag` }] : []),
    send: async (): Promise<void> => {
      const body = bodyOf(form.values);
      if (needsApproval && body.act.kind === 'notice') {
        await call(requestBulkApproval, { body: { ...body, act: body.act } });
        onStarted();
        onAsked(t`Asked for approval. You can follow it, and send the message, on the Team page.`);
        return;
      }
      try {
        setAct((await call(startBulk, { body })).data.act);
      } catch (error) {
        if (errorCode(error) === 'APPROVAL_REQUIRED') setRefused(true);
        throw error;
      }
      onStarted();
    },
    onSent: () => undefined,
  });
  const needsTag = kind === 'tag' || kind === 'untag';
  const isReady = !needsTag || form.values.tagId !== '';

  function close() {
    onClose();
    void refreshAfter(startBulk);
  }

  if (act !== null) return <BulkProgress act={act} onClose={close} />;
  return (
    <FormDialog
      title={t(bulkWords[kind])}
      size="narrow"
      form={form}
      sendText={needsApproval ? t`Ask for approval` : t(bulkWords[kind])}
      busyText={needsApproval ? t`Sending...` : t`Starting...`}
      isDisabled={!isReady}
      hasKeyHint
      onClose={onClose}
    >
      {chosen.isEveryone === true && <Notice kind="warning">{t`No filter is set: everyone is selected.`}</Notice>}
      {needsApproval && (
        <Notice kind="info" isNews={false}>
          {t`An administrator approves messages to more than ${{ count: formatNumber(messageAloneMax) }} people within 24 hours. If there is no other, you can send it after 24 hours, and an email tells you about it.`}
        </Notice>
      )}
      {needsTag && (
        <SelectField
          label={t`Tag`}
          required
          data-autofocus
          choices={[{ value: '', label: t`Choose a tag` }, ...tags.map(([value, label]) => ({ value, label }))]}
          {...form.bind('tagId')}
        />
      )}
      {(kind === 'note' || kind === 'notice') && (
        <TextArea
          label={kind === 'note' ? t`Note` : t`Message`}
          description={
            kind === 'note'
              ? t`The team reads it on the page of each person.`
              : t`They read it under Support, and are notified in the app and by email. An answer becomes a report assigned to you. Links to other sites aren't allowed.`
          }
          required
          rows={4}
          maxLength={unitsFor(kind === 'note' ? noteMaxLength : reportTextMaxLength)}
          data-autofocus
          {...form.bind('text')}
        />
      )}
      {isReady && <Preview selection={selection} kind={kind} tagId={form.values.tagId} />}
      <TextArea
        label={t`Reason`}
        description={t`Saved in the audit trail.`}
        required
        rows={2}
        maxLength={unitsFor(reasonMaxLength)}
        {...form.bind('reason')}
      />
    </FormDialog>
  );
}
