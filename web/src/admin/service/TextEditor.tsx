import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Language, languageNames, languages, usualLanguage } from '#contract/languages.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import { languagesInOrder } from '#contract/service/words.ts';
import { agreedKinds, previewText, publishText, type TextVersion } from '#contract/service/texts.ts';
import { ApiError } from '../../api/api-error.ts';
import { useCommand } from '../../api/endpoint-query.ts';
import { TextBlocks } from '../../features/service/TextBlocks.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { readDraft, useKeptDraft } from '../../ui/form/drafts.ts';
import { CheckField, SelectField, TextArea } from '../../ui/form/Field.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { formatTime } from '../../ui/text/format.ts';
import { shippedText } from './shipped-texts.ts';

type Bodies = Partial<Record<Language, string>>;

/** Edits that are not published yet. */
interface Edits {
  /** The version that was the newest when the first edit was made. */
  known: string | null;
  bodies: Bodies;
  /** The language for readers whose own is missing. */
  usual: Language;
}

/** The text with unpublished edits, which are kept until they are published or discarded, even across pages. */
function useEdits({ kind, versions: [newest] }: EditorProps) {
  const name = `text:${kind}`;
  const [edits, setEdits] = useState(() => readDraft<Edits>(name));
  useKeptDraft(name, edits);
  const known = newest?.version ?? null;
  const shown = edits ?? { known, bodies: newest?.bodies ?? {}, usual: newest?.language ?? usualLanguage };
  return {
    ...shown,
    isEdited: edits !== null,
    /** Someone else published a version after the first edit. */
    isOvertaken: edits !== null && edits.known !== known,
    edit: (changed: Partial<Omit<Edits, 'known'>>) => setEdits((before) => ({ ...(before ?? shown), ...changed })),
    keep: () => setEdits({ ...shown, known }),
    discard: () => setEdits(null),
  };
}

interface EditorProps {
  kind: TextKind;
  versions: readonly TextVersion[];
}

/** The text of one page in all languages: start from the product's own or an earlier version, preview, publish. */
export function TextEditor({ kind, versions }: EditorProps) {
  const [newest] = versions;
  const draft = useEdits({ kind, versions });
  const { bodies, usual } = draft;
  const [shown, setShown] = useState<Language>(usual);
  const [asks, setAsks] = useState<'publish' | 'own' | null>(null);
  const filled = languages.filter((one) => (bodies[one] ?? '').trim() !== '');
  const begin = useMutation({ mutationFn: () => shippedText(kind, shown), onSuccess: (text) => write(shown, text) });
  const preview = useCommand(previewText, () => ({ body: { body: bodies[shown] ?? '' } }));

  function write(language: Language, text: string) {
    draft.edit({ bodies: { ...bodies, [language]: text } });
    preview.reset();
  }

  function discard() {
    draft.discard();
    preview.reset();
  }

  function choose(language: Language) {
    setShown(language);
    preview.reset();
  }

  function take({ bodies, language }: TextVersion) {
    draft.edit({ bodies, usual: language ?? usual });
    choose(language ?? usual);
  }

  const choices = languagesInOrder().map((value) => ({
    value,
    label: filled.includes(value) ? `${languageNames[value]} ✓` : languageNames[value],
  }));
  return (
    <Stack gap="1.25rem">
      <Panel title={t`Write`} lead={stateOf(newest)}>
        <Stack gap="1rem">
          {draft.isOvertaken && (
            <Notice
              kind="warning"
              action={
                <Button size="xs" variant="default" onClick={draft.keep}>
                  {t`Go on with mine`}
                </Button>
              }
            >
              {t`Someone else published a version while you were writing. Yours is kept here. If you publish it, it replaces theirs.`}
            </Notice>
          )}
          <Group align="end" gap="1rem">
            <SelectField
              label={t`Language`}
              choices={choices}
              value={shown}
              onChange={(event) => choose(event.currentTarget.value as Language)}
            />
            <SelectField
              label={t`Readers of other languages see`}
              choices={choices.filter(({ value }) => filled.includes(value) || value === usual)}
              value={usual}
              onChange={(event) => draft.edit({ usual: event.currentTarget.value as Language })}
            />
            <BusyButton
              variant="default"
              isBusy={begin.isPending}
              busyText={t`Loading...`}
              onClick={() => begin.mutate()}
            >
              {t`Insert the product's text`}
            </BusyButton>
          </Group>
          <TextArea
            label={t`Text in Markdown`}
            description={t`“## ” begins a section, “### ” a part of one, and “- ” a line of a list. “[words](https://…)” is a link, **words** are bold, and *words* in italics.`}
            rows={14}
            value={bodies[shown] ?? ''}
            error={preview.error?.message}
            onChange={(event) => write(shown, event.currentTarget.value)}
          />
          <ErrorNotice error={begin.error} text={(error) => t`Couldn't load the text: ${error}`} />
          <Group gap="0.5rem">
            <BusyButton
              variant="default"
              isBusy={preview.isPending}
              busyText={t`Loading...`}
              disabled={!filled.includes(shown)}
              onClick={() => preview.mutate()}
            >
              {t`Preview`}
            </BusyButton>
            <Button disabled={filled.length === 0} onClick={() => setAsks('publish')}>
              {t`Publish…`}
            </Button>
            {draft.isEdited && (
              <Button variant="subtle" onClick={discard}>
                {t`Discard my changes`}
              </Button>
            )}
            {newest?.language && (
              <Button variant="subtle" onClick={() => setAsks('own')}>
                {t`Show the product's text again…`}
              </Button>
            )}
          </Group>
        </Stack>
      </Panel>
      {preview.data && (
        <Panel title={t`Preview`}>
          <TextBlocks blocks={preview.data.blocks} isFolded={kind === 'faq'} />
        </Panel>
      )}
      {versions.length > 0 && <Versions versions={versions} onTake={take} />}
      {asks && (
        <PublishDialog
          kind={kind}
          known={asks === 'own' ? (newest?.version ?? null) : draft.known}
          bodies={asks === 'own' ? {} : Object.fromEntries(filled.map((one) => [one, bodies[one]]))}
          language={asks === 'own' ? null : usual}
          onPublished={asks === 'own' ? () => undefined : draft.discard}
          onClose={() => setAsks(null)}
        />
      )}
    </Stack>
  );
}

const stateOf = (newest: TextVersion | undefined) =>
  newest?.language
    ? t`Published ${{ time: formatTime(newest.publishedAt) }} by ${{ name: newest.by }}.`
    : t`Readers see the product's own text.`;

interface VersionsProps {
  versions: readonly TextVersion[];
  onTake: (version: TextVersion) => void;
}

function Versions({ versions, onTake }: VersionsProps) {
  return (
    <Panel title={t`Versions`} lead={t`Every version can be read for ever, because members may have agreed to it.`}>
      <Stack component="ul" gap="0.5rem">
        {versions.map((version) => (
          <Group component="li" key={version.version} justify="space-between">
            <Text>
              {[
                version.version,
                version.by,
                version.language === null
                  ? t`The product's own text`
                  : Object.keys(version.bodies)
                      .map((one) => languageNames[one as Language])
                      .join(', '),
                version.asksAgain && t`Members were asked again`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            {version.language !== null && (
              <Button
                size="sm"
                variant="default"
                aria-label={t`Edit version ${{ version: version.version }}`}
                onClick={() => onTake(version)}
              >
                {t`Edit`}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

interface PublishProps {
  kind: TextKind;
  known: string | null;
  bodies: Bodies;
  /** Null to show the product's own text again. */
  language: Language | null;
  onPublished: () => void;
  onClose: () => void;
}

function PublishDialog({ kind, known, bodies, language, onPublished, onClose }: PublishProps) {
  const [asksAgain, setAsksAgain] = useState(false);
  const publish = useCommand(publishText, () => ({ params: { kind }, body: { known, language, bodies, asksAgain } }), {
    waits: true,
    onSuccess: () => {
      onPublished();
      onClose();
    },
  });
  const names = Object.keys(bodies).map((one) => languageNames[one as Language]);
  return (
    <Dialog
      title={language === null ? t`Show the product's text again?` : t`Publish this text?`}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <BusyButton isBusy={publish.isPending} busyText={t`Saving...`} onClick={() => publish.mutate()}>
            {t`Publish`}
          </BusyButton>
        </>
      }
    >
      <Stack gap="0.75rem">
        {names.length > 0 && (
          <Text>{t`In ${{ languages: names.join(', ') }}. It is visible to everyone at once.`}</Text>
        )}
        {agreedKinds.includes(kind) && (
          <>
            <CheckField
              label={t`Ask members to agree again`}
              checked={asksAgain}
              onChange={(event) => setAsksAgain(event.currentTarget.checked)}
            />
            <Hint>{t`Members can go on only after they have agreed. Do this if a change matters to them.`}</Hint>
          </>
        )}
        <ErrorNotice error={publish.error && explained(publish.error)} />
      </Stack>
    </Dialog>
  );
}

/** An error with the language whose text it is about. */
function explained(error: Error): Error {
  const [field] = error instanceof ApiError ? error.errors : [];
  const language = languages.find((one) => field?.field === `bodies.${one}`);
  return field && language ? new Error(`${languageNames[language]}: ${field.msg}`) : error;
}
