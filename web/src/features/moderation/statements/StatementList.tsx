import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Group, Stack, Text } from '@mantine/core';
import { thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import {
  acknowledgeWarning,
  listStatements,
  type ContentKind,
  type Statement as Decision,
  type SanctionKind,
} from '#contract/moderation/decisions.ts';
import { shippedWords } from '#contract/moderation/shipped-rules.ts';
import { queryClient } from '../../../api/query-client.ts';
import { endpointQuery, useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { InEnglish } from '../../../ui/data/InEnglish.tsx';
import { Picture } from '../../../ui/data/Picture.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { promptText } from '../../../ui/text/interest-words.ts';
import { useAppeal, useWithdraw } from './queries.ts';

const [AppealBox] = lazyPart(async () => (await import('./AppealBox.tsx')).AppealBox);

function DecisionPanel({ decision }: { decision: Decision }) {
  const acknowledge = useCommand(acknowledgeWarning, (id: string) => ({ params: { id } }), {
    onSuccess: (data) => queryClient.setQueryData(endpointQuery(listStatements).queryKey, data),
  });
  const appeal = useAppeal();
  const withdraw = useWithdraw();
  return (
    <Panel title={t`A decision about your account`} lead={formatDate(decision.at)}>
      <DecisionText decision={decision} />
      <ErrorNotice error={acknowledge.error} />
      {decision.measures.some(({ needsAcknowledgement }) => needsAcknowledgement) && (
        <BusyButton
          isBusy={acknowledge.isPending}
          busyText={t`Saving...`}
          onClick={() => acknowledge.mutate(decision._id)}
        >
          {t`I have read this warning`}
        </BusyButton>
      )}
      <AppealBox
        right={decision.appeal}
        lead={t`Do you disagree?`}
        send={(text) => appeal.mutateAsync({ decisionId: decision._id, text })}
        withdraw={(id) => withdraw.mutateAsync(id)}
      />
    </Panel>
  );
}

/** The decisions about the member with their reasons; nothing for members without any, who are the majority. */
export function StatementList() {
  const { notices: statements = [] } = useEndpoint(listStatements).data ?? {};
  if (statements.length === 0) return null;
  return (
    <Stack gap="1.25rem" mb="1.5rem">
      {statements.map((decision) => (
        <DecisionPanel key={decision._id} decision={decision} />
      ))}
    </Stack>
  );
}

const measureWords: Record<SanctionKind, MessageDescriptor> = {
  warn: msg`You received a warning.`,
  remove_content: msg`We removed something of yours. Only you can still see it.`,
  limit_messaging: msg`You can't start new conversations.`,
  hide_profile: msg`Your profile is hidden from other members.`,
  suspend: msg`Your account was suspended.`,
  ban: msg`Your account was closed.`,
};

const removedWords: Record<ContentKind, MessageDescriptor> = {
  picture: msg`We removed a picture from your profile.`,
  prompt: msg({ message: 'We removed your answer to “{prompt}” from your profile. Only you see it here:' }),
  text: msg`We removed a text from your profile. Only you see it here:`,
  message: msg`We removed a message. Only you can still see it:`,
  note: msg`We removed the note you sent with a like. Only you see it here:`,
  badge: msg`We removed “Photo verified” from your profile.`,
};

const thumbnail = { width: thumbnailWidth, height: thumbnailHeight, placeholder: '' };

function Measure({ measure }: { measure: Decision['measures'][number] }) {
  const { kind, content, endsAt, isLive, isRevoked } = measure;
  const state = isRevoked ? t`Taken back` : isLive ? t`In force` : t`Over`;
  const { picture, key = '' } = content ?? {};
  return (
    <Group component="li" gap="0.3rem 0.75rem" justify="space-between" align="flex-start">
      <span>
        {content === undefined ? t(measureWords[kind]) : fill(removedWords[content.type], { prompt: promptText(key) })}{' '}
        {picture && picture.count > 1 && t`It was picture ${{ place: picture.place }} of ${{ count: picture.count }}.`}{' '}
        {endsAt !== null && isLive && t`Until ${{ date: formatDate(endsAt) }}.`}
        {content?.text != null && (
          <Box component="q" display="block" mt="0.25rem" c="dimmed" dir="auto">
            {content.text}
          </Box>
        )}
        {content?.isLost === true && t`We no longer have it, so we could not put it back.`}
        {picture?.thumbnailUrl != null && (
          <Box component="span" display="block" w="6rem" mt="0.4rem" bdrs="md" style={{ overflow: 'hidden' }}>
            <Picture
              picture={{ ...thumbnail, url: picture.thumbnailUrl, thumbnailUrl: picture.thumbnailUrl }}
              alt={t`The removed picture. Only you see it here.`}
            />
          </Box>
        )}
      </span>
      {kind !== 'warn' && <Tag tone={isLive ? 'attention' : 'quiet'}>{state}</Tag>}
      {kind === 'warn' && isRevoked && <Tag tone="quiet">{t`Taken back`}</Tag>}
    </Group>
  );
}

/** The outcome of a decision, the violated rule, and the consequences for the member. */
export function DecisionText({ decision }: { decision: Decision }) {
  const { rule, measures } = decision;
  const shipped = rule === null ? undefined : shippedWords(rule);
  return (
    <>
      {rule !== null && (
        <Text mb="1rem" style={{ whiteSpace: 'pre-wrap' }}>
          {t`Our rule ${{ clause: rule.clause }} says:`}{' '}
          <q>{shipped ? t(shipped.text) : <InEnglish>{rule.text}</InEnglish>}</q>
        </Text>
      )}
      <Text component="h3" mb="0.3rem" ff="text" fz="note" fw={600}>
        {t`What we found`}
      </Text>
      <Text mb="1rem" style={{ whiteSpace: 'pre-wrap' }} dir="auto">
        {decision.facts}
      </Text>
      <Text component="h3" mb="0.3rem" ff="text" fz="note" fw={600}>
        {t`What this means for you`}
      </Text>
      <Stack component="ul" gap="0.4rem" mb="1rem">
        {measures.map((measure) => (
          <Measure key={measure._id} measure={measure} />
        ))}
      </Stack>
      <Hint my="0.75rem">
        {decision.isDetectionAutomated
          ? t`An automatic check found this, and a person decided.`
          : t`A person decided this.`}{' '}
        <Time at={decision.at} />
      </Hint>
    </>
  );
}
