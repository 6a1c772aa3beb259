import { t } from '@lingui/core/macro';
import { Group, Stack, Text } from '@mantine/core';
import { prompts as promptTexts } from '#contract/profiles/prompts.ts';
import { type ProfileDetails } from '#contract/profiles/profile-details.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Hint, Well } from '../../../ui/layout/text-blocks.tsx';

/** Short texts as chips; null if there are none. */
export function ChipList({ label, words }: { label: string; words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <Group component="ul" gap="0.4rem" aria-label={label}>
      {words.map((word) => (
        <Text
          key={word}
          component="li"
          py="0.2rem"
          px="0.8rem"
          bd="1px solid var(--hw-line)"
          bdrs="999px"
          bg="var(--hw-sunken)"
          fz="note"
        >
          {word}
        </Text>
      ))}
    </Group>
  );
}

/** Names with their values. Null values are left out, and without any values it renders nothing. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, words: string | null])[] }) {
  const said = facts.filter(([, words]) => words !== null);
  if (said.length === 0) return null;
  return <Facts facts={said} columns={3} leastRem={7.5} />;
}

/** Prompts with the member's answers; nothing if there are none. */
export function PromptList({ prompts }: Pick<ProfileDetails, 'prompts'>) {
  if (prompts.length === 0) return null;
  return (
    <Stack component="dl" gap="0.8rem">
      {prompts.map(({ prompt, answer }) => (
        <Well key={prompt}>
          <Hint component="dt">{t(promptTexts[prompt])}</Hint>
          <Text component="dd" dir="auto" mt="0.25rem" ff="heading" fz="1.15rem" style={{ whiteSpace: 'pre-line' }}>
            {answer}
          </Text>
        </Well>
      ))}
    </Stack>
  );
}
