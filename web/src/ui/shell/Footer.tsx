import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './Footer.module.css';
import { LogoMark } from './Logo.tsx';

/** Two entries of the footer have no page yet, so they are text instead of links. */
function Nowhere({ children }: { children: string }) {
  return (
    <span role="link" aria-disabled="true" className={classes.nowhere}>
      {children}
    </span>
  );
}

/** The footer of every page; `supportEmail` is undefined until it is loaded, and `language` is the choice of it. */
export function Footer({ supportEmail, language }: { supportEmail: string | undefined; language: ReactNode }) {
  return (
    <footer className={classes.footer}>
      <Group gap="0.75rem 2rem" justify="space-between" maw="80rem" mx="auto" py="1.4rem" px="1.25rem">
        <Group component="p" gap="0.6rem" wrap="nowrap" c="dimmed">
          <LogoMark size={22} />
          {t`© 2025 {brand}`}
        </Group>
        <nav className={classes.links} aria-label={t`Footer`}>
          <Link to="/home">{t`Home`}</Link>
          <Link to="/faqs">{t`FAQs`}</Link>
          <Link to="/privacy">{t`Privacy Policy`}</Link>
          {supportEmail ? <a href={`mailto:${supportEmail}`}>{t`Contact Us`}</a> : <Nowhere>{t`Contact Us`}</Nowhere>}
          <Nowhere>{t`Help Center`}</Nowhere>
          <Nowhere>{t`Safety Tips`}</Nowhere>
        </nav>
        {language}
      </Group>
    </footer>
  );
}
