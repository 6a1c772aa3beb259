import { Box, Group, Stack, Text } from '@mantine/core';
import { prompts as promptTexts } from '#contract/profiles/interests.ts';
import { type ProfileDetails } from '#contract/profiles/profile-details.ts';
import { Hint } from '../../../ui/layout/Hint.ts';
import { t } from '../../../ui/text/text.ts';
import classes from './member.module.css';

/** Short words as chips; null without any. */
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

/** Names with their values; null values are left out. Null when nothing is left. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, words: string | null])[] }) {
  const said = facts.filter(([, words]) => words !== null);
  if (said.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {said.map(([name, words]) => (
        <Box key={name} miw={0}>
          <Hint component="dt">{name}</Hint>
          <Text component="dd" fw={500}>
            <bdi>{words}</bdi>
          </Text>
        </Box>
      ))}
    </dl>
  );
}

/** Prompts with the member's answers; null without any. */
export function PromptList({ prompts }: Pick<ProfileDetails, 'prompts'>) {
  if (prompts.length === 0) return null;
  return (
    <Stack component="dl" gap="0.8rem">
      {prompts.map(({ prompt, answer }) => (
        <div key={prompt} className={classes.prompt}>
          <dt>{t(promptTexts[prompt])}</dt>
          <dd dir="auto">{answer}</dd>
        </div>
      ))}
    </Stack>
  );
}
