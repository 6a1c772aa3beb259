import { msg, plural, t } from '@lingui/core/macro';
import { Box, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { IconUserEdit } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { listTags } from '#contract/moderation/tags.ts';
import { listTeam, type TeamMember } from '#contract/moderation/team.ts';
import { mayGive, roleNames } from '#contract/roles.ts';
import { type StaffRole, staffRoles } from '#contract/staff-roles.ts';
import { readableAddress } from '#contract/text.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { errorMessage } from '../../api/api-error.ts';
import { Address, RowAction, RowActions } from '../../ui/data/table/cells.tsx';
import { ListScreen } from '../../ui/data/table/ListScreen.tsx';
import type { TableColumn } from '../../ui/data/table/rows.ts';
import { Tag } from '../../ui/data/Tag.tsx';
import { useNow } from '../../ui/data/Time.tsx';
import { FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { ReasonDialog } from '../../ui/feedback/ReasonDialog.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { personName } from '../../ui/text/person.ts';
import { useMay, useOwnRole } from '../../api/session/permission.ts';
import { Approvals } from '../../features/profiles/staff/Approvals.tsx';
import { useChangeUser, useUser } from '../../features/profiles/staff/queries.ts';
import { LastActive } from '../../features/profiles/staff/UserDetails.tsx';
import { UserPicker } from '../../features/profiles/staff/UserPicker.tsx';

function columnsFor(now: number, onChange: (member: TeamMember) => void): TableColumn<TeamMember>[] {
  return [
    {
      id: 'person',
      header: () => t`Person`,
      card: 'head',
      cell: ({ _id, name, email }) => (
        <Stack component="span" gap="0.1rem" miw={0}>
          <Link to={`/users/${_id}`} dir="auto">
            {name ?? t`Unknown`}
          </Link>
          <Address isSoft>{readableAddress(email)}</Address>
        </Stack>
      ),
    },
    {
      id: 'role',
      header: () => t`Role`,
      card: 'tags',
      width: ['13rem', '11rem'],
      cell: ({ staffRole, isActive }) => (
        <>
          <Tag tone="accent">{t(roleNames[staffRole])}</Tag> {!isActive && <Tag tone="attention">{t`Inactive`}</Tag>}
        </>
      ),
    },
    {
      id: 'lastActive',
      header: () => t`Last Active`,
      width: ['11rem', '9rem'],
      cell: ({ lastActive }) => <LastActive time={lastActive} now={now} />,
    },
    {
      id: 'cases',
      header: () => t`Open cases`,
      width: '8rem',
      isNumber: true,
      cell: ({ openCases }) => formatNumber(openCases),
    },
    {
      id: 'actions',
      header: () => t`Actions`,
      card: 'actions',
      width: '6.5rem',
      cell: (member) =>
        member.can.changeRole && (
          <RowActions>
            <RowAction
              label={t`Change role: ${{ name: member.name ?? t`Unknown` }}`}
              text={t`Change role`}
              icon={<IconUserEdit size={18} stroke={1.75} aria-hidden="true" />}
              onClick={() => onChange(member)}
            />
          </RowActions>
        ),
    },
  ];
}

type Colleague = Pick<TeamMember, '_id' | 'name'> & { staffRole: StaffRole | null };

/** Gives a role to a user or removes it. Without a given user, one is chosen first. */
function RoleDialog({ colleague, onSaved, onClose }: RoleDialogProps) {
  const ownRole = useOwnRole();
  const change = useChangeUser();
  const [role, setRole] = useState<StaffRole | ''>(colleague?.staffRole ?? '');
  const [pickedId, setPickedId] = useState<string | null>(colleague?._id ?? null);
  const before = colleague?.staffRole ?? '';
  const choices = staffRoles.filter((each) => mayGive(ownRole, each));

  function save(reason: string) {
    if (pickedId === null) return;
    change.mutate(
      { id: pickedId, change: { staffRole: role === '' ? null : role, reason } },
      { onSuccess: ({ user }) => onSaved(personName(user) ?? t`Unknown`, role) },
    );
  }

  return (
    <ReasonDialog
      title={colleague === null ? t`Add to the team` : t`Change ${{ name: colleague.name ?? t`Unknown` }}'s role`}
      description={t`Saved in the audit trail.`}
      confirm={t`Save role`}
      command={change}
      isDisabled={pickedId === null || role === before}
      onConfirm={save}
      onClose={onClose}
    >
      {colleague === null &&
        (pickedId === null ? (
          <UserPicker label={t`User`} onPick={setPickedId} />
        ) : (
          <PickedUser id={pickedId} onUndo={() => setPickedId(null)} />
        ))}
      <NativeSelect
        label={t`Role`}
        description={t`Changing the role signs them out on all devices.`}
        value={role}
        onChange={({ currentTarget: { value } }) => setRole(staffRoles.find((each) => each === value) ?? '')}
        data={[
          { value: '', label: colleague === null ? t`Choose a role` : t`Member (leaves the team)` },
          ...choices.map((each) => ({ value: each, label: t(roleNames[each]) })),
        ]}
      />
    </ReasonDialog>
  );
}

interface RoleDialogProps {
  colleague: Colleague | null;
  onSaved: (name: string, role: StaffRole | '') => void;
  onClose: () => void;
}

/** The name of the chosen user. */
function PickedUser({ id, onUndo }: { id: string; onUndo: () => void }) {
  const { data, error } = useUser(id);
  return (
    <Group gap="0.5rem">
      <strong dir="auto">{data ? (personName(data) ?? t`Unknown`) : error ? errorMessage(error) : '…'}</strong>
      <Button variant="subtle" size="compact-sm" onClick={onUndo}>
        {t`Choose someone else`}
      </Button>
    </Group>
  );
}

const noMembers: readonly TeamMember[] = [];
const texts = {
  loading: msg`Loading team...`,
  error: msg({ message: 'Error loading team: {error}' }),
  empty: msg`No one is here yet.`,
  emptyHint: msg`People with a role appear here.`,
};

/** Everyone with a role, their open cases, and the actions that change their role. */
export function TeamPage() {
  const now = useNow(60_000);
  const query = useEndpoint(listTeam);
  const tags = useEndpoint(listTags);
  const members = query.data?.members ?? noMembers;
  const mayAssign = useMay('roles.assign');
  const [asked, setAsked] = useState<Colleague | 'new' | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const columns = useMemo(() => columnsFor(now, setAsked), [now]);

  function close(name: string, role: StaffRole | '') {
    setAsked(null);
    setSaved(role === '' ? t`${name} left the team.` : t`${name}: ${{ role: t(roleNames[role]) }}`);
  }

  return (
    <Page title={t`Team`} actions={mayAssign && <Button onClick={() => setAsked('new')}>{t`Add to the team`}</Button>}>
      <div data-in-order>
        <Box mb="1.25rem">
          <Approvals
            tags={(tags.data?.tags ?? []).map(({ _id, name, merged }) => [_id, name, merged ?? []] as const)}
          />
        </Box>
        <ListScreen
          query={query}
          label={t`Team`}
          rows={members}
          columns={columns}
          texts={texts}
          caption={{ text: t`${plural({ count: members.length }, { one: '# colleague', other: '# colleagues' })}` }}
          table={{ minWidth: '48rem', tabletMinWidth: '40rem', hasRowLinks: true }}
        />
      </div>
      {asked !== null && (
        <RoleDialog colleague={asked === 'new' ? null : asked} onSaved={close} onClose={() => setAsked(null)} />
      )}
      <FloatingNotice onClose={() => setSaved(null)}>{saved}</FloatingNotice>
    </Page>
  );
}
