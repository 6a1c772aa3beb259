import { t } from '@lingui/core/macro';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import type { Pagination } from '#contract/paging.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { pageSizes } from './report-filters.ts';
import classes from './reports.module.css';

interface ReportPagerProps {
  pagination: Pick<Pagination, 'page' | 'pages' | 'limit'>;
  onPage: (page: number) => void;
  onLimit: (limit: number) => void;
}

interface TurnProps {
  children: string;
  isPossible: boolean;
  isForward?: boolean;
  onTurn: () => void;
}

/** A button for the previous or next page. At the end of the list it keeps the focus and does nothing. */
function Turn({ children, isPossible, isForward = false, onTurn }: TurnProps) {
  const icon = { size: 16, stroke: 2, 'aria-hidden': true, className: 'mirrored' } as const;
  return (
    <Button
      variant="default"
      {...(isPossible ? {} : { 'aria-disabled': true, 'data-disabled': true })}
      leftSection={!isForward && <IconChevronLeft {...icon} />}
      rightSection={isForward && <IconChevronRight {...icon} />}
      onClick={() => {
        if (isPossible) onTurn();
      }}
    >
      {children}
    </Button>
  );
}

/** Buttons for the previous and next page, the current page, and the number of rows per page. */
export function ReportPager({ pagination: { page, pages, limit }, onPage, onLimit }: ReportPagerProps) {
  const sizeId = useId();
  return (
    <nav className={classes.pager} aria-label={t`Pages of reports`}>
      <div className={classes.size}>
        <label htmlFor={sizeId}>{t`Per page`}</label>
        <NativeSelect
          id={sizeId}
          size="xs"
          value={limit}
          data={pageSizes.map((size) => ({ value: String(size), label: formatNumber(size) }))}
          onChange={(event) => onLimit(Number(event.currentTarget.value))}
        />
      </div>
      <Group className={classes.turns} gap="0.9rem">
        <Turn isPossible={page > 1} onTurn={() => onPage(page - 1)}>
          {t`Previous`}
        </Turn>
        <Text span ta="center">
          {t`Page ${{ page: formatNumber(page) }} of ${{ pages: formatNumber(pages) }}`}
        </Text>
        <Turn isPossible={page < pages} isForward onTurn={() => onPage(page + 1)}>
          {t`Next`}
        </Turn>
      </Group>
    </nav>
  );
}
