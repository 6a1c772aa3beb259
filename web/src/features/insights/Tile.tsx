import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconDownload, IconInfoCircle, IconPhoto } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { CsvCell } from '#contract/csv.ts';
import { saveChart, saveTable } from '../../ui/chart/save-png.ts';
import { saveCsv } from '../../ui/data/csv.ts';
import { brandFile } from '../../ui/data/save-file.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import classes from './insights.module.css';

/** A button that shows the meaning of a figure while it is hovered or focused. Esc hides it. */
function Definition({ of, text }: { of: string; text: string }) {
  const id = useId();
  const [isHidden, setHidden] = useState(false);
  return (
    <span className={classes.definition} data-hidden={isHidden || undefined}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label={t`What is ${{ name: of }}?`}
        aria-describedby={id}
        onPointerEnter={() => setHidden(false)}
        onFocus={() => setHidden(false)}
        onKeyDown={({ key }) => key === 'Escape' && setHidden(true)}
      >
        <IconInfoCircle size={19} stroke={1.75} aria-hidden="true" />
      </ActionIcon>
      <span id={id} role="tooltip">
        {text}
      </span>
    </span>
  );
}

export interface TileProps {
  /** The name of its files. */
  id: string;
  title: string;
  lead?: string;
  definition: string;
  /** The figures of the file, the names of the columns first. */
  rows: readonly (readonly CsvCell[])[];
  /** The texts of the saved picture if there is no drawing. */
  texts?: readonly (readonly string[])[];
  /** Controls of the tile. */
  children: ReactNode;
}

/** A separate figure on the page: its definition, its values, and buttons to save them. */
export function Tile({ id, title, lead, definition, rows, texts, children }: TileProps) {
  const content = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<Error | null>(null);
  const name = brandFile(id);

  async function savePicture() {
    if (content.current === null) return;
    try {
      if (texts !== undefined) saveTable(content.current, title, texts, `${name}.png`);
      else await saveChart(content.current, title, `${name}.png`);
      setError(null);
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error(String(problem)));
    }
  }

  const saveButton = (what: string, Icon: typeof IconDownload, save: () => void) => (
    <Button
      variant="subtle"
      color="gray"
      size="compact-md"
      leftSection={<Icon size={16} aria-hidden="true" />}
      aria-label={t`${title}: save as ${what}`}
      onClick={save}
    >
      {what}
    </Button>
  );
  return (
    <Panel
      title={title}
      {...(lead !== undefined && { lead })}
      actions={
        <Group gap="0.15rem">
          <Definition of={title} text={definition} />
          {saveButton('CSV', IconDownload, () => saveCsv(rows, `${name}.csv`))}
          {saveButton('PNG', IconPhoto, () => void savePicture())}
        </Group>
      }
    >
      {error !== null && <ErrorNotice error={error} text={(error) => t`Couldn't save the picture: ${error}`} />}
      <div ref={content}>{children}</div>
    </Panel>
  );
}

/** A number as text, with its change. */
export function Headline({ name, value, change }: { name: string; value: string; change?: string | null }) {
  return (
    <div>
      <Text component="dt" c="dimmed" fz="note">
        {name}
      </Text>
      <Text component="dd" fz="lead" fw={600}>
        {value}{' '}
        {change != null && (
          <Text span c="dimmed" fz="note" fw={400}>
            {change}
          </Text>
        )}
      </Text>
    </div>
  );
}
