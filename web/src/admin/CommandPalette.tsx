import { t } from '@lingui/core/macro';
import { Kbd, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { searchMaxLength } from '#contract/constants.ts';
import { folded } from '#contract/folding.ts';
import { caseViews } from '#contract/moderation/case-list.ts';
import { queueKinds } from '#contract/moderation/queue.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { listReports } from '#contract/moderation/staff-reports.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { pastedId } from '#contract/pasted.ts';
import { hasAtSign, readableAddress } from '#contract/text.ts';
import { useEndpoint } from '../api/endpoint-query.ts';
import { useMay } from '../api/session/permission.ts';
import { viewWords } from '../features/moderation/cases/case-words.ts';
import { useQueue } from '../features/moderation/queue/queue-data.ts';
import { addressIn, savedListsQuery } from '../features/moderation/cases/queries.ts';
import { completeListed } from '../features/profiles/complete-user.ts';
import { foundTexts, pastedTerms, termsToFind, useFindUsers } from '../features/profiles/staff/find-users.ts';
import { completeReport } from '../features/moderation/reports/report-data.ts';
import { personWord, shortReportId, statusWord } from '../features/moderation/reports/report-words.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { reasonOf } from '../ui/feedback/Notice.tsx';
import { TextField } from '../ui/form/Field.tsx';
import { Options, useOptions } from '../ui/form/Options.tsx';
import type { PageAction } from '../ui/keyboard/shortcuts.tsx';
import { Hint } from '../ui/layout/text-blocks.tsx';
import { personName } from '../ui/text/person.ts';

interface Choice {
  text: string;
  /** Its kind, or more about it. */
  hint: string;
  key?: string | undefined;
  run: () => void;
  /** The result is shown here. */
  staysOpen?: boolean;
}

const found = 5;
const typingPauseMs = 200;

/** Matching reports and users that the server returns to this role. */
function useFound(search: string) {
  const [maySeeReports, maySeeUsers] = [useMay('reports.list'), useMay('users.list')];
  // Each look-up of an address counts, so it is a separate choice instead of happening while someone types.
  const isSearch = search.length > 1 && !hasAtSign(search);
  const query = { search, limit: found };
  const reports = useEndpoint(listReports, { query }, { enabled: isSearch && maySeeReports });
  const users = useEndpoint(listUsers, { query }, { enabled: isSearch && maySeeUsers });
  return {
    isLoading: reports.isLoading || users.isLoading,
    reports: (isSearch && reports.data?.reports.map(completeReport)) || [],
    users: (isSearch && users.data?.users.map(completeListed)) || [],
  };
}

function useChoices(typed: string, places: readonly Place[], actions: readonly PageAction[]) {
  const navigate = useNavigate();
  const [maySeeCases, mayEditRules] = [useMay('cases.list'), useMay('rules.edit')];
  const mayEditLines = useMay('service.edit');
  const { data: saved } = useQuery({ ...savedListsQuery, enabled: maySeeCases, refetchInterval: false });
  const { kinds } = useQueue();
  const [search] = useDebouncedValue(typed, typingPauseMs);
  const { isLoading, reports, users } = useFound(search);
  const to = (address: string) => () => void navigate(address);
  // Match the start of a word, so that "Bo" finds people and not the dashboard.
  const fits = ({ text }: Choice) => ` ${folded(text)}`.includes(` ${folded(typed)}`);

  const fixed: Choice[] = [
    ...actions.map(({ text, key, run }) => ({ text, key, run, hint: t`On this page` })),
    ...places.map(({ text, path }) => ({ text, hint: t`Go to`, run: to(path) })),
    ...kinds.map((kind) => ({ text: t(queueKinds[kind].text), hint: t`Go to`, run: to(queueKinds[kind].path) })),
    ...(maySeeCases
      ? [
          ...caseViews.map((view) => ({
            text: t`Cases: ${{ list: t(viewWords[view]) }}`,
            hint: t`Go to`,
            run: to(addressIn(view)),
          })),
          ...(saved ?? []).map(({ _id, name, isShared }) => ({
            text: t`Cases: ${{ list: name }}`,
            hint: isShared ? t`List of the team` : t`My list`,
            run: to(addressIn({ view: _id })),
          })),
          { text: t`Reply templates`, hint: t`Go to`, run: to('/rules') },
          ...(mayEditRules
            ? [
                { text: t`Automatic rules`, hint: t`Go to`, run: to('/rules/automatic') },
                ...(mayEditLines ? [{ text: t`Help lines`, hint: t`Go to`, run: to('/rules/help-lines') }] : []),
              ]
            : []),
        ]
      : []),
  ].filter(fits);
  const id = pastedId(typed);
  const ids: Choice[] =
    id !== null
      ? [
          ...(maySeeCases ? [{ text: t`Case with this id`, hint: id, run: to(`/cases/${id}`) }] : []),
          { text: t`Report with this id`, hint: id, run: to(`/reports/${id}`) },
          { text: t`User with this id`, hint: id, run: to(`/users/${id}`) },
        ]
      : [];
  const people = users.map((user): Choice => ({
    text: personName(user) ?? t`Unknown`,
    hint: `${t`User`} · ${readableAddress(user.email)}`,
    run: to(`/users/${user._id}`),
  }));
  // One entry for each case, since a case contains all reports about a person.
  const caseIds = new Set<string>();
  const filed = reports.flatMap((report): Choice[] => {
    const about = report.reportedUser && personWord(report.reportedUser);
    const isNew = maySeeCases && report.case !== undefined && !caseIds.has(report.case._id);
    if (report.case) caseIds.add(report.case._id);
    return [
      ...(isNew && report.case && about
        ? [{ text: t`Case about ${{ name: about }}`, hint: t`Case`, run: to(`/cases/${report.case._id}`) }]
        : []),
      {
        text: `#${shortReportId(report._id)} · ${t(reportTypeWords[report.problem_type])}`,
        hint: `${t`Report by ${{ name: personWord(report.user) }}`} · ${statusWord(report.status)}`,
        run: to(`/reports/${report._id}`),
      },
    ];
  });
  return { isLoading, choices: [...ids, ...fixed, ...filed, ...people] };
}

/** A page that staff may open. */
export interface Place {
  text: string;
  path: string;
}

interface CommandPaletteProps {
  places: readonly Place[];
  /** A command of the page behind the palette. */
  actions: readonly PageAction[];
  onClose: () => void;
}

/** Finds cases, reports and users by name or id, and pages and commands by name. */
export function CommandPalette({ places, actions, onClose }: CommandPaletteProps) {
  const [typed, setTyped] = useState('');
  const find = useFindUsers();
  const navigate = useNavigate();
  const mayFind = useMay('users.list');
  const { isLoading, choices: others } = useChoices(typed.trim().slice(0, searchMaxLength), places, actions);
  const terms = mayFind ? termsToFind(typed) : null;
  const open = (id: string) => {
    onClose();
    void navigate(`/users/${id}`);
  };
  const said = find.data && foundTexts(find.data);
  const lookUp: Choice[] =
    terms === null || said !== undefined || find.isPending
      ? []
      : [
          {
            text:
              terms.length > 3
                ? t`Look up ${{ count: terms.length }} addresses and ids`
                : t`Look up ${{ term: terms.join(', ') }}`,
            hint: t`User with this address or id`,
            staysOpen: true,
            run: () =>
              find.mutate(terms, {
                onSuccess: ({ users, notFound }) => {
                  if (users.length === 1 && users[0] && notFound.length === 0) open(users[0]._id);
                },
              }),
          },
        ];
  const people = (find.data?.users ?? []).map((user): Choice => ({
    text: personName(user) ?? t`Unknown`,
    hint: `${t`User`} · ${readableAddress(user.email)}`,
    run: () => open(user._id),
  }));
  const choices = [...people, ...lookUp, ...others];
  const options = useOptions(choices.length);

  function choose(choice: Choice | undefined) {
    if (choice === undefined) return;
    if (choice.staysOpen !== true) onClose();
    choice.run();
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') choose(choices[options.active]);
    else if (!options.move(event.key)) return;
    event.preventDefault();
  }

  return (
    <Dialog title={t`Search and commands`} size="narrow" onClose={onClose}>
      <TextField
        {...options.field}
        label={t`Name, id or command`}
        data-autofocus
        maxLength={searchMaxLength}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          find.reset();
          options.mark(0);
        }}
        onKeyDown={press}
        onPaste={(event) => {
          const pasted = pastedTerms(event.clipboardData.getData('text'));
          if (pasted === null) return;
          event.preventDefault();
          setTyped(pasted.join(' '));
          find.reset();
        }}
      />
      {choices.length > 0 && (
        <Options
          of={options}
          label={t`Results`}
          options={choices.map((choice, index) => ({
            key: `${choice.text} ${choice.hint} ${index}`,
            content: (
              <>
                <Text span fw={500} dir="auto">
                  {choice.text}
                </Text>
                <Hint span fz="small">
                  {choice.hint}
                </Hint>
                {choice.key !== undefined && <Kbd aria-hidden="true">{choice.key}</Kbd>}
              </>
            ),
          }))}
          onChoose={(index) => choose(choices[index])}
        />
      )}
      <Hint role="status" fz="small">
        {isLoading || find.isPending
          ? t`Searching...`
          : find.error !== null
            ? reasonOf(find.error)
            : said !== undefined
              ? [said.notFound, said.left].filter(Boolean).join(' · ')
              : choices.length === 0 && t`Nothing found.`}
      </Hint>
    </Dialog>
  );
}
