import { t } from '@lingui/core/macro';
import { Box, Stack, Title } from '@mantine/core';
import type { PublishedReport, TransparencyReport } from '#contract/moderation/transparency.ts';
import { apiBase } from '../../../api/request.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { Facts, StateList } from '../../../ui/data/Facts.tsx';
import { Hint, Well } from '../../../ui/layout/text-blocks.tsx';
import { formatDate, formatNumber, formatPercent } from '../../../ui/text/format.ts';
import { durationText } from '../reports/report-words.ts';
import { figureWords, fileWords, groupWord, shareWords, timeWords } from './transparency-words.ts';

const minuteMs = 60_000;

const few = () => t`fewer than 10`;

type Figure = TransparencyReport['figures'][number];

function rowsOf({ figure, total, groups, other }: Figure) {
  const rows = groups.map(({ name, count }) => ({ id: name, name: groupWord(figure, name), end: formatNumber(count) }));
  if (other > 0 && groups.length > 0) rows.push({ id: '', name: t`Others`, end: formatNumber(other) });
  return [...rows, { id: 'total', name: t`Total`, end: total === null ? few() : formatNumber(total) }];
}

/** Where a file of a report can be downloaded without signing in. */
const addressOf = (year: number, file: string) => `${apiBase()}/transparency/${year}/${file}`;

function Files({ report, files, seal }: PublishedReport) {
  return (
    <>
      <Well>
        <StateList
          label={t`Downloads`}
          rows={files.map(({ file, bytes }) => ({
            id: file,
            name: (
              <a href={addressOf(report.year, file)} download>
                {t(fileWords[file])}
              </a>
            ),
            end: t`${{ size: formatNumber(Math.max(1, Math.round(bytes / 1024))) }} KB`,
          }))}
        />
        <Hint mt="0.5rem">
          {t`In the statements, whatever fewer than ten decisions have in common is left out, and so are the facts, because they are about people.`}{' '}
          <a href={`${apiBase()}/transparency/schema`}>{t`JSON Schema of the files`}</a>
        </Hint>
      </Well>
      <Disclosure title={t`Check that nothing was changed`} heading="h3" isPlain>
        <p>
          {seal === null
            ? t`The hashes of these files will be sealed in our audit trail within minutes.`
            : t`The hashes of these files are sealed in our audit trail, in batch ${{ batch: formatNumber(seal.batch) }}.`}
        </p>
        <Facts
          columns={1}
          facts={[
            ...files.map(
              ({ file, sha256 }) => [`SHA-256: ${t(fileWords[file])}`, <code key={file}>{sha256}</code>] as const,
            ),
            seal !== null && [t`Hash of the seal`, <code key="seal">{seal.hash}</code>],
          ]}
        />
      </Disclosure>
    </>
  );
}

function Year({ published }: { published: PublishedReport }) {
  const { report } = published;
  const percent = (value: number | null) => (value === null ? t`Too few to say` : formatPercent(value));
  return (
    <Stack gap="1.25rem">
      <Hint>
        {t`Made on ${{ date: formatDate(report.madeAt) }}, version ${{ version: report.version }}. All days are in UTC.`}
      </Hint>
      <Facts
        leastRem={11}
        facts={[
          ...report.times.map(
            ({ what, medianMinutes, p90Minutes }) =>
              [
                t`${{ what: t(timeWords[what]) }}: half within, nine of ten within`,
                medianMinutes === null || p90Minutes === null
                  ? t`Too few to say`
                  : `${durationText(medianMinutes * minuteMs)}, ${durationText(p90Minutes * minuteMs)}`,
              ] as const,
          ),
          ...report.shares.map((one) => [t(shareWords[one.share]), percent(one.percent)] as const),
        ]}
      />
      <Box
        display="grid"
        style={{ gap: '1.5rem 2.5rem', gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 18rem), 1fr))' }}
      >
        {report.figures.map((figure) => (
          <div key={figure.figure}>
            <Title order={3} fz="1.05rem" mb="0.25rem">
              {t(figureWords[figure.figure])}
            </Title>
            <StateList label={t(figureWords[figure.figure])} rows={rowsOf(figure)} />
          </div>
        ))}
      </Box>
      <Files {...published} />
    </Stack>
  );
}

/** The reports of all years; the newest is open. */
export function PublishedReports({ reports }: { reports: readonly PublishedReport[] }) {
  if (reports.length === 0)
    return <p>{t`No report yet. The first one appears in the January after our first year.`}</p>;
  return (
    <Stack gap="0.7rem">
      {reports.map((published, index) => (
        <Disclosure key={published.report.year} title={String(published.report.year)} startsOpen={index === 0} isLazy>
          <Year published={published} />
        </Disclosure>
      ))}
    </Stack>
  );
}
