import { t } from '@lingui/core/macro';
import { Button, Stack, Text, Title } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { everywhere, type HelpLine, listHelpLines } from '#contract/moderation/help-lines.ts';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { compareTexts } from '../../../ui/text/format.ts';
import { language, locale } from '../../../ui/text/text.ts';
import { countryName } from '#contract/profiles/countries.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { lineText } from './shipped-lines.ts';

/** The name of a help line's country, as in our own list in English, otherwise as the browser names it. */
export function countryWord(code: string): string {
  if (code === everywhere) return t`Everywhere`;
  if (language === 'en') return countryName(code) ?? code;
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}

/** The country of the browser's first language that names one. */
function usualCountry(): string {
  const regions = navigator.languages.map((language) => new Intl.Locale(language).region);
  return regions.find((region) => region !== undefined) ?? '';
}

function Line({ line: { name, phone, url, note } }: { line: HelpLine }) {
  return (
    <li>
      <Text fw={600}>
        <bdi>{lineText(name)}</bdi>
      </Text>
      {phone !== null && (
        <Button
          component="a"
          href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}
          variant="default"
          my="0.3rem"
          leftSection={<IconPhone size={18} stroke={1.75} aria-hidden="true" />}
        >
          {t`Call ${phone}`}
        </Button>
      )}
      {url !== null && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {new URL(url).hostname}
          </a>
        </Text>
      )}
      <Hint>{lineText(note)}</Hint>
    </li>
  );
}

function Lines({ lines }: { lines: readonly HelpLine[] }) {
  const countries = [...new Set(lines.map(({ country }) => country))].filter((country) => country !== everywhere);
  // Links in mails name a country.
  const named = new URLSearchParams(useLocation().search).get('country');
  const [chosen, setChosen] = useState(() => named ?? usualCountry());
  const country = countries.includes(chosen) ? chosen : '';
  const choices = countries
    .map((code) => ({ value: code, label: countryWord(code) }))
    .toSorted((a, b) => compareTexts(a.label, b.label));
  const shown = lines.filter((line) => line.country === country || line.country === everywhere);
  return (
    <>
      <SelectField
        label={t`Country`}
        value={country}
        choices={[{ value: '', label: t`Choose a country` }, ...choices]}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      <Stack component="ul" gap="1.1rem" mt="1.25rem" aria-label={t`Help lines`}>
        {shown.map((line) => (
          <Line key={line._id} line={line} />
        ))}
      </Stack>
    </>
  );
}

/** Help lines of the country that is chosen, at first that of the address or the browser's language, and of all countries. */
export function HelpLines() {
  const query = useEndpoint(listHelpLines);
  return (
    <Stack component="section" gap="1rem" my="2rem" aria-label={t`Help lines`}>
      <Title order={2} id="help-lines">
        {t`Help lines`}
      </Title>
      <QueryStates
        query={query}
        loadingText={t`Loading help lines...`}
        skeleton="36rem"
        errorText={(error) => t`Couldn't load the help lines. In danger, call your local emergency number: ${error}`}
      >
        {({ lines }) => <Lines lines={lines} />}
      </QueryStates>
    </Stack>
  );
}
