import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { may, type Permission } from '#contract/roles.ts';
import { useOwnRole } from '../../api/session/permission.ts';

const tabs: readonly { path: string; text: MessageDescriptor; needs: Permission }[] = [
  { path: '/insights', text: msg`Growth`, needs: 'dashboard.view' },
  { path: '/insights/revenue', text: msg`Revenue`, needs: 'revenue.view' },
  { path: '/insights/safety', text: msg`Safety`, needs: 'safety.view' },
  { path: '/insights/matching', text: msg`Matching`, needs: 'matching.view' },
];

/** Links to the parts of the insights that a role may see. The chosen days and group stay, except on matching. */
export function InsightTabs() {
  const role = useOwnRole();
  const { pathname, search } = useLocation();
  return (
    <Group component="nav" aria-label={t`Insights`} gap="0.35rem" mb="1.25rem">
      {tabs
        .filter(({ needs }) => may(role, needs))
        .map(({ path, text }) => (
          <Button
            key={path}
            component={Link}
            to={{ pathname: path, search }}
            variant={path === pathname ? 'filled' : 'default'}
            aria-current={path === pathname ? 'page' : undefined}
          >
            {t(text)}
          </Button>
        ))}
    </Group>
  );
}
