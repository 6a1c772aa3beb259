import { msg, t } from '@lingui/core/macro';
import { Box, Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type NavigateOptions, useNavigate } from 'react-router';
import type { ListedCase } from '#contract/moderation/case-list.ts';
import { exportDecidedCases } from '#contract/moderation/decided-cases.ts';
import { decidedCaseViews, decidedOutcomes, type DecidedFilters } from '#contract/moderation/decided-filters.ts';
import { decisionSources, listRules } from '#contract/moderation/decisions.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { callForFile } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { readSession } from '../../../api/session/stored-session.ts';
import { ExportDialog } from '../acts/ExportDialog.tsx';
import { FilterBar, FilterChip, FilterChips, FilterDay, FilterSelect } from '../../../ui/data/table/ListParts.tsx';
import { DecisionFigures } from './DecisionFigures.tsx';
import { personWord } from '../reports/report-words.ts';
import { type AppealChoice, appealChoices, outcomeWords, sourceWords } from './decision-words.ts';
import { compareTexts } from '../../../ui/text/format.ts';
import { addressIn, type CaseList, isClosedToAppeals } from './queries.ts';

const outcomes = [
  ['', msg`All outcomes`],
  ...decidedOutcomes.map((one) => [one, one === 'quick' ? msg`Closed with one click` : outcomeWords[one]] as const),
] as const;
const sources = [['', msg`Anything`], ...decisionSources.map((one) => [one, sourceWords[one]] as const)] as const;

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

/** Exports the found cases. */
function ExportCases({ list, onClose }: { list: CaseList; onClose: () => void }) {
  const request = async (reason: string) => {
    const { view, priority: _p, type: _t, order: _o, from: _f, ...filters } = list;
    const named = decidedCaseViews.find((one) => one === view);
    return await callForFile(exportDecidedCases, { query: { view: named, ...filters, reason } });
  };
  return (
    <ExportDialog title={t`Export closed cases`} fileName="cases.csv" request={request} onClose={onClose}>
      {t`One row for each decision in the list, with the facts. Members are named by their id.`}
    </ExportDialog>
  );
}

interface DecidedFilterBarProps {
  list: CaseList;
  /** The cases that are shown. */
  lines: readonly ListedCase[];
  /** Renders a search for the person of the case, which calls back with the person's id. */
  userPicker: (onPick: (userId: string) => void) => ReactNode;
}

/** The filters of a list of closed cases, all of them in the address. */
function DecidedFilterBar({ list, lines, userPicker }: DecidedFilterBarProps) {
  const navigate = useNavigate();
  const mayExport = useMay('cases.lead');
  const [isExporting, setExporting] = useState(false);
  const { rules = [] } = useEndpoint(listRules).data ?? {};
  const { person } = list;
  const known = lines.find((line) => line.person._id === person);

  function change(changed: DecidedFilters, options: NavigateOptions = {}) {
    void navigate(addressIn({ ...list, ...changed }), { preventScrollReset: true, ...options });
  }

  return (
    <>
      <FilterBar onSubmit={() => undefined}>
        <Box flex="1 1 16rem">{userPicker((userId) => change({ person: userId }))}</Box>
        <FilterSelect
          label={t`Rule`}
          value={list.rule ?? ''}
          choices={[['', t`All rules`], ...rules.map(({ clause, title }) => [clause, `${clause}. ${title}`] as const)]}
          onChoose={(rule) => change({ rule: rule || undefined })}
        />
        <FilterSelect
          label={t`Outcome`}
          value={list.outcome ?? ''}
          choices={outcomes}
          onChoose={(outcome) => change({ outcome: outcome || undefined })}
        />
        <FilterSelect
          label={t`Decided by`}
          value={list.decider ?? ''}
          choices={decidersOf(lines, list.decider)}
          onChoose={(decider) => change({ decider: decider || undefined })}
        />
        <FilterSelect
          label={t`Discovered through`}
          value={list.source ?? ''}
          choices={sources}
          onChoose={(source) => change({ source: source || undefined })}
        />
        <FilterSelect
          label={t`Appeal`}
          value={appealChoiceOf(list)}
          choices={isClosedToAppeals(list) ? appealChoices.slice(0, 1) : appealChoices}
          onChoose={(choice) => change(appealFilters[choice])}
        />
        <FilterDay
          label={t`Decided from (UTC)`}
          value={list.decidedFrom}
          onChoose={(decidedFrom) => change({ decidedFrom }, { replace: true })}
        />
        <FilterDay
          label={t`Decided until (UTC)`}
          value={list.decidedTo}
          onChoose={(decidedTo) => change({ decidedTo }, { replace: true })}
        />
        {mayExport && (
          <Button
            variant="default"
            leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
            onClick={() => setExporting(true)}
          >
            {t`Export`}
          </Button>
        )}
        {person !== undefined && (
          <FilterChips>
            <FilterChip
              text={t`About ${{ name: known === undefined ? person.slice(0, 8) : personWord(known.person) }}`}
              onRemove={() => change({ person: undefined })}
            />
          </FilterChips>
        )}
      </FilterBar>
      {isExporting && <ExportCases list={list} onClose={() => setExporting(false)} />}
    </>
  );
}

/** What is above the list of closed cases. */
export function DecidedListHead(props: DecidedFilterBarProps) {
  return (
    <>
      <DecisionFigures list={props.list} />
      <DecidedFilterBar {...props} />
    </>
  );
}
