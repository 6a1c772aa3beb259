import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Invitation, listInvitations, makeInvitation, revokeInvitation } from '#contract/service/invitations.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time, useNow } from '../../../ui/data/Time.tsx';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Part } from '../../../ui/layout/Page.tsx';
import { Row, Rows } from '../../../ui/layout/Rows.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';

function MakeDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { note: '', most: '10', days: '30' },
    ...formOf(makeInvitation, {}),
    toBody: ({ note, most, days }) => ({ note, most: Number(most), days: Number(days) }),
    onSent: onClose,
  });
  return (
    <FormDialog title={t`Make an invitation`} form={form} sendText={t`Make`} onClose={onClose}>
      <TextField
        label={t`Who is it for?`}
        description={t`Only your team sees this.`}
        data-autofocus
        {...form.bind('note')}
      />
      <TextField label={t`How many people may join with it`} inputMode="numeric" required {...form.bind('most')} />
      <TextField label={t`For how many days`} inputMode="numeric" required {...form.bind('days')} />
    </FormDialog>
  );
}

const minuteMs = 60_000;

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { _id, note, link, most, uses, endsAt, madeAt, by, isRevoked, people } = invitation;
  const now = useNow(minuteMs);
  const end = useCommand(revokeInvitation, () => ({ params: { id: _id } }), { waits: true });
  const isOver = isRevoked || uses >= most || Date.parse(endsAt) <= now;
  const name = note === '' ? t`Invitation` : note;
  return (
    <Row
      icon={<IconTicket size={20} stroke={1.75} aria-hidden="true" />}
      actions={
        !isOver && (
          <Button size="sm" variant="default" aria-label={t`End: ${name}`} onClick={() => end.mutate()}>
            {t`End`}
          </Button>
        )
      }
    >
      <Group gap="0.3rem 0.6rem">
        <Text fw={500}>{name}</Text>
        {isOver && <Tag tone="quiet">{uses >= most ? t`Used up` : t`Ended`}</Tag>}
      </Group>
      {!isOver && (
        <Text fz="note" dir="ltr" style={{ overflowWrap: 'anywhere', userSelect: 'all' }}>
          {link}
        </Text>
      )}
      <Hint>
        {t`${{ uses }} of ${plural({ most }, { one: '# person', other: '# people' })} joined`} · {by} ·{' '}
        <Time at={madeAt} isDate /> – <Time at={endsAt} isDate />
      </Hint>
      {people.length > 0 && (
        <Group gap="0.2rem 0.8rem">
          {people.map((person) => (
            <Link key={person._id} to={`/users/${person._id}`}>
              {person.name}
            </Link>
          ))}
        </Group>
      )}
      <ErrorNotice error={end.error} />
    </Row>
  );
}

/** The links with which people join while registration is by invitation. */
export function Invitations() {
  const query = useEndpoint(listInvitations);
  const [isMaking, setMaking] = useState(false);
  return (
    <Part
      title={t`Invitations`}
      lead={t`Links with a limit and an end. They count while only people with an invitation may join.`}
    >
      <Stack gap="0.8rem" align="flex-start">
        <Button variant="light" onClick={() => setMaking(true)}>
          {t`Make an invitation`}
        </Button>
        <QueryStates
          query={query}
          loadingText={t`Loading invitations...`}
          skeleton="4rem"
          errorText={(error) => t`Couldn't load the invitations: ${error}`}
        >
          {({ invitations }) =>
            invitations.length === 0 ? (
              <Hint>{t`There are no invitations yet.`}</Hint>
            ) : (
              <Rows w="100%">
                {invitations.map((invitation) => (
                  <InvitationRow key={invitation._id} invitation={invitation} />
                ))}
              </Rows>
            )
          }
        </QueryStates>
      </Stack>
      {isMaking && <MakeDialog onClose={() => setMaking(false)} />}
    </Part>
  );
}
