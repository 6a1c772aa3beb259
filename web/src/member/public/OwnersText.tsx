import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AnswerOf } from '#contract/endpoint.ts';
import { directionOf, languageNames } from '#contract/languages.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import { readText } from '#contract/service/texts.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { useBrand } from '../../brand.ts';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { useLanguage } from '../../ui/text/use-language.ts';
import { TextBlocks } from '../../features/service/TextBlocks.tsx';

/** Whether the owner published versions of a text, the newest of which may be the product's own again, or the address requests an earlier version. */
export function useIsReplaced(kind: TextKind): boolean {
  const [query] = useSearchParams();
  const { texts = [] } = useBrand();
  return query.has('version') || texts.includes(kind);
}

/** The day of a version, with its number if it isn't the first of that day. */
function dayOf({ version }: { version: string }): string {
  const [day = '', number] = version.split('.');
  return number === undefined ? formatDay(day) : `${formatDay(day)} (${number})`;
}

type Read = AnswerOf<typeof readText>['data'];

function Versions({ text: { version, versions } }: { text: Read }) {
  const [newest] = versions;
  return (
    <Disclosure title={t`All versions`}>
      <ul>
        {versions.map((one) => (
          <li key={one.version} aria-current={one.version === version ? 'true' : undefined}>
            <Link to={one === newest ? '?' : `?version=${one.version}`}>{dayOf(one)}</Link>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

interface OwnersTextProps {
  kind: TextKind;
  /** The product's own text. */
  own: ReactNode;
}

/** The text of a page: the product's own, or the one that the owner published in its place, with all its versions. */
export function OwnersText({ kind, own }: OwnersTextProps) {
  return useIsReplaced(kind) ? <Published kind={kind} own={own} /> : own;
}

function Published({ kind, own }: OwnersTextProps) {
  const [query] = useSearchParams();
  const version = query.get('version') ?? undefined;
  const language = useLanguage();
  const text = useEndpoint(readText, { params: { kind }, query: { language, ...(version && { version }) } });
  return (
    <QueryStates
      query={text}
      loadingText={t`Loading the text...`}
      errorText={(error) => t`Couldn't load the text: ${error}`}
    >
      {(read) => (
        <Stack gap="1rem">
          <Text c="dimmed">{t`Last updated: ${{ date: dayOf(read) }}`}</Text>
          {read.version !== read.versions[0]?.version && (
            <Notice kind="info">
              {t`This version no longer applies.`} <Link to="?">{t`Read the current one`}</Link>
            </Notice>
          )}
          {read.language !== null && read.language !== language && (
            <Notice kind="info">{t`This text is only available in ${{ language: languageNames[read.language] }}.`}</Notice>
          )}
          {read.blocks === null ? (
            own
          ) : (
            <div lang={read.language ?? undefined} dir={read.language ? directionOf(read.language) : undefined}>
              <TextBlocks blocks={read.blocks} isFolded={kind === 'faq'} />
            </div>
          )}
          {read.versions.length > 1 && <Versions text={read} />}
        </Stack>
      )}
    </QueryStates>
  );
}
