import { Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMay } from '../../../api/session/permission.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { t } from '../../../ui/text/text.ts';
import { useMakeReport } from './queries.ts';

const yearsOffered = 5;

/** Makes the report of a year that is over, for those who may verify the audit trail; others find the published ones. */
export function MakeReport() {
  const years = Array.from({ length: yearsOffered }, (_, back) => new Date().getUTCFullYear() - 1 - back);
  const [year, setYear] = useState(String(years[0]));
  const mayMake = useMay('audit.verify');
  const make = useMakeReport();
  return (
    <Group component="section" aria-label={t('Transparency report')} mb="1.25rem" align="end">
      {mayMake && (
        <>
          <SelectField
            label={t('Transparency report')}
            value={year}
            choices={years.map((one) => ({ value: String(one), label: String(one) }))}
            onChange={(event) => setYear(event.currentTarget.value)}
          />
          <BusyButton
            isBusy={make.isPending}
            busyText={t('Publishing...')}
            variant="default"
            onClick={() => make.mutate(Number(year))}
          >
            {t('Publish')}
          </BusyButton>
        </>
      )}
      <Link to="/app/transparency">{t('Published reports')}</Link>
      {make.isSuccess && (
        <Notice kind="success">
          {t('The report of {year} will be published in a moment.', { year: make.variables })}
        </Notice>
      )}
      <ErrorNotice error={make.error} text="Couldn't make the report: {error}" />
    </Group>
  );
}
