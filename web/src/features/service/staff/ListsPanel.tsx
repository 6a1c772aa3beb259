import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ChangeEvent, useRef, useState } from 'react';
import type { ListEntry, Lists } from '#contract/service/lists.ts';
import { brandFile, saveFile } from '../../../ui/data/save-file.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { ErrorText, HintText } from '../../../ui/form/Field.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Well } from '../../../ui/layout/text-blocks.tsx';
import { choicesIn, entryName } from '../../../ui/text/interest-words.ts';
import { listed } from '../../../ui/text/text.ts';
import { type LineError, readLists, writeLists } from './lists-file.ts';
import type { PartDraft } from './use-draft.ts';

/** The most lines whose errors are shown at once. */
const errorsShown = 20;

/** The changes to a list, in sentences. */
function changesOf(kind: 'interest' | 'prompt', before: Lists, after: Lists): string[] {
  const [old, fresh] = [choicesIn(before, kind), choicesIn(after, kind)];
  const inOld = ({ key }: ListEntry) => old.find((entry) => entry.key === key);
  const names = (entries: ListEntry[]) =>
    listed(
      entries.map((entry) => entryName(kind, entry)),
      'commas',
    );
  const added = names(fresh.filter((entry) => inOld(entry) === undefined));
  const gone = names(old.filter(({ key }) => fresh.every((entry) => entry.key !== key)));
  const reworded = names(
    fresh.filter((entry) => JSON.stringify(inOld(entry)?.words ?? entry.words) !== JSON.stringify(entry.words)),
  );
  return [
    ...(added === '' ? [] : [t`New: ${{ names: added }}`]),
    ...(gone === '' ? [] : [t`No longer offered: ${{ names: gone }}`]),
    ...(reworded === '' ? [] : [t`In other words: ${{ names: reworded }}`]),
  ];
}

/** The effects of the edited lists on members, before they are saved. */
function Changes({ before, after }: Record<'before' | 'after', Lists>) {
  const inOrder = ({ interests, prompts }: Lists) => JSON.stringify([interests, prompts]);
  if (inOrder(before) === inOrder(after)) return null;
  const changes = [...changesOf('interest', before, after), ...changesOf('prompt', before, after)];
  const [interests, prompts] = [choicesIn(after, 'interest').length, choicesIn(after, 'prompt').length];
  return (
    <Well role="status">
      <Text fw={500}>{t`What changes`}</Text>
      <Text component="ul" fz="note" m={0} ps="1.25rem">
        <li>
          {t`${plural({ interests }, { one: '# interest', other: '# interests' })} and ${plural({ prompts }, { one: '# prompt', other: '# prompts' })}`}
        </li>
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {changes.length === 0 && <li>{t`The same in another order or in other groups`}</li>}
      </Text>
      <HintText>{t`People who chose something that is no longer offered keep it until they remove it themselves.`}</HintText>
    </Well>
  );
}

interface ListsPanelProps {
  draft: PartDraft<'lists'>;
  /** The lists in force now. */
  saved: Lists;
}

/** The interests and prompts that members choose from, which the owner edits as a file. */
export function ListsPanel({ draft: { value: lists, set, errorOf }, saved }: ListsPanelProps) {
  const input = useRef<HTMLInputElement>(null);
  const [errors, setErrors] = useState<readonly LineError[]>([]);
  const unnamed = errors.length - errorsShown;
  const problem = errorOf('interests') ?? errorOf('prompts');

  function take(next: Partial<Lists>, wrong: readonly LineError[] = []) {
    setErrors(wrong);
    if (wrong.length === 0) set((now) => ({ ...now, ...next }));
  }

  async function load({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const text = await currentTarget.files?.[0]?.text();
    currentTarget.value = '';
    if (text === undefined) return;
    const read = readLists(text);
    take(read.lists, read.errors);
  }

  function save() {
    saveFile(new Blob([writeLists(lists)], { type: 'text/plain' }), brandFile('lists.txt'));
  }

  return (
    <Panel
      title={t`Interests and prompts`}
      lead={t`What members choose from on their profiles. Save the lists as a text file, edit it, and load it again: leave lines out, move them or add some. A line is a name, with its words by language: “alpine huts | de: Almhütten | fr: refuges”.`}
    >
      <Stack gap="0.8rem" align="start">
        <Group gap="0.6rem">
          <Button variant="default" onClick={save}>{t`Save the lists as a file`}</Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".txt,text/plain"
            aria-label={t`File with interests and prompts`}
            onChange={(event) => void load(event)}
          />
          <Button variant="default" onClick={() => input.current?.click()}>{t`Load a file`}</Button>
          {(lists.interests ?? lists.prompts) !== null && (
            <Button variant="subtle" onClick={() => take({ interests: null, prompts: null })}>
              {t`Use the usual lists`}
            </Button>
          )}
        </Group>
        {errors.length > 0 && (
          <Notice kind="error">
            {t`This file was not loaded, because of these lines:`}
            <ul>
              {errors.slice(0, errorsShown).map(({ line, reason }) => (
                <li key={line}>{t`Line ${{ line }}: ${{ reason }}`}</li>
              ))}
              {unnamed > 0 && (
                <li>{t`and ${plural({ count: unnamed }, { one: '# more line', other: '# more lines' })}`}</li>
              )}
            </ul>
          </Notice>
        )}
        {problem !== undefined && <ErrorText>{problem}</ErrorText>}
        <Changes before={saved} after={lists} />
      </Stack>
    </Panel>
  );
}
