import { msg, t } from '@lingui/core/macro';
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { ListedCase } from '#contract/moderation/case-list.ts';
import { exportDecidedCases } from '#contract/moderation/decided-cases.ts';
import { decidedCaseViews, decidedOutcomes, type DecidedFilters } from '#contract/moderation/decided-filters.ts';
import { decisionSources, listRules } from '#contract/moderation/decisions.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { callForFile } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { readSession } from '../../../api/session/stored-session.ts';
import { useExport } from '../acts/use-export.tsx';
import {
  optionsOf,
  FilterBar,
  FilterChip,
  FilterChips,
  FilterFields,
  type ListFilter,
} from '../../../ui/data/table/ListFilters.tsx';
import { DecisionFigures } from './DecisionFigures.tsx';
import { personWord } from '../reports/report-words.ts';
import { type AppealChoice, appealChoices, outcomeWords, sourceWords } from './decision-words.ts';
import { compareTexts } from '../../../ui/text/format.ts';
import { addressIn, type CaseList, isClosedToAppeals } from './queries.ts';

const outcomeChoices = optionsOf(decidedOutcomes, { ...outcomeWords, quick: msg`Closed with one click` });

const appealFilters: Record<AppealChoice, Pick<DecidedFilters, 'appealed' | 'overturned'>> = {
  '': { appealed: undefined, overturned: undefined },
  appealed: { appealed: true, overturned: undefined },
  overturned: { appealed: undefined, overturned: true },
  upheld: { appealed: true, overturned: false },
  none: { appealed: false, overturned: undefined },
};
const appealChoiceOf = ({ appealed, overturned }: DecidedFilters) =>
  appealChoices
    .map(([choice]) => choice)
    .find((one) => appealFilters[one].appealed === appealed && appealFilters[one].overturned === overturned) ?? '';

/** The colleagues to filter by: the viewer, those who decided what is shown, and the one who is chosen. */
function decidersOf(lines: readonly ListedCase[], chosen: string | undefined): [id: string, name: string][] {
  const known = new Map(
    lines.flatMap(({ decision }): [string, string][] => (decision ? [[decision.by._id, decision.by.name]] : [])),
  );
  const own = readSession().user?._id;
  if (own !== undefined) known.set(own, t`Me`);
  if (chosen !== undefined && !known.has(chosen)) known.set(chosen, chosen.slice(0, 8));
  return [['', t`Anyone`], ...[...known].toSorted(([, one], [, other]) => compareTexts(one, other))];
}

interface DecidedFilterBarProps {
  list: CaseList;
  /** The cases that are shown. */
  lines: readonly ListedCase[];
  /** Renders a search for the person of the case, which calls back with the person's id. */
  userPicker: (onPick: (userId: string) => void) => ReactNode;
}

/** The filters in the form of their fields. */
type Fields = Omit<DecidedFilters, 'person' | 'appealed' | 'overturned'> & { appeal: AppealChoice };

function useFields({ list, lines }: DecidedFilterBarProps): ListFilter<Fields>[] {
  const { rules = [] } = useEndpoint(listRules).data ?? {};
  const ofRules = rules.map(({ clause, title }) => [clause, `${clause}. ${title}`] as const);
  return [
    { name: 'rule', label: msg`Rule`, choices: [['', msg`All rules`], ...ofRules] },
    { name: 'outcome', label: msg`Outcome`, choices: [['', msg`All outcomes`], ...outcomeChoices] },
    { name: 'decider', label: msg`Decided by`, choices: decidersOf(lines, list.decider) },
    {
      name: 'source',
      label: msg`Discovered through`,
      choices: [['', msg`Anything`], ...optionsOf(decisionSources, sourceWords)],
    },
    {
      name: 'appeal',
      label: msg`Appeal`,
      choices: isClosedToAppeals(list) ? appealChoices.slice(0, 1) : appealChoices,
    },
    { name: 'decidedFrom', label: msg`Decided from (UTC)` },
    { name: 'decidedTo', label: msg`Decided until (UTC)` },
  ];
}

/** The filters of a list of closed cases, all of them in the address. */
function DecidedFilterBar(props: DecidedFilterBarProps) {
  const { list, lines, userPicker } = props;
  const navigate = useNavigate();
  const mayExport = useMay('cases.lead');
  const fields = useFields(props);
  const { person } = list;
  const known = lines.find((line) => line.person._id === person);
  const exporting = useExport({
    title: t`Export closed cases`,
    text: t`One row for each decision in the list, with the facts. Members are named by their id.`,
    fileName: 'cases.csv',
    request: (reason) => {
      const { view, priority: _p, type: _t, order: _o, from: _f, ...filters } = list;
      const named = decidedCaseViews.find((one) => one === view);
      return callForFile(exportDecidedCases, { query: { view: named, ...filters, reason } });
    },
  });

  function change(changed: DecidedFilters) {
    // A day is typed in several steps.
    const replace = 'decidedFrom' in changed || 'decidedTo' in changed;
    void navigate(addressIn({ ...list, ...changed }), { preventScrollReset: true, replace });
  }

  return (
    <>
      <FilterBar onSubmit={() => undefined}>
        <Box flex="1 1 16rem">{userPicker((userId) => change({ person: userId }))}</Box>
        <FilterFields<Fields>
          of={fields}
          filters={{ ...list, appeal: appealChoiceOf(list) }}
          onChoose={({ appeal, ...changed }) =>
            change({ ...changed, ...(appeal !== undefined && appealFilters[appeal]) })
          }
        />
        {mayExport && exporting.button}
        {person !== undefined && (
          <FilterChips>
            <FilterChip
              text={t`About ${{ name: known === undefined ? person.slice(0, 8) : personWord(known.person) }}`}
              onRemove={() => change({ person: undefined })}
            />
          </FilterChips>
        )}
      </FilterBar>
      {exporting.dialog}
    </>
  );
}

/** The content above the list of closed cases. */
export function DecidedListHead(props: DecidedFilterBarProps) {
  return (
    <>
      <DecisionFigures list={props.list} />
      <DecidedFilterBar {...props} />
    </>
  );
}
