import { msg, t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { useMay } from '../../api/session/permission.ts';

const tabs = [
  { path: '/rules', text: msg`Community rules` },
  { path: '/rules/automatic', text: msg`Automatic rules` },
  { path: '/rules/help-lines', text: msg`Help lines` },
];

/** Links to the two kinds of rules and the help lines, for those who may edit them; others see only the community rules. */
export function RuleTabs() {
  const { pathname } = useLocation();
  if (!useMay('rules.edit')) return null;
  return (
    <Group component="nav" aria-label={t`Rules`} gap="0.35rem" mb="1.25rem">
      {tabs.map(({ path, text }) => (
        <Button
          key={path}
          component={Link}
          to={path}
          variant={path === pathname ? 'filled' : 'default'}
          aria-current={path === pathname ? 'page' : undefined}
        >
          {t(text)}
        </Button>
      ))}
    </Group>
  );
}
