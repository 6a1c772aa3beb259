import { msg, t } from '@lingui/core/macro';
import { Box, Button, Group, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { IconShieldHeart, IconSparkles, IconWorld } from '@tabler/icons-react';
import { Link } from 'react-router';
import { productName } from '#contract/constants.ts';
import { useBrand } from '../../brand.ts';
import { useCurrentUser, useSession } from '../../features/auth/session/session.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { RingsArt } from '../../ui/layout/RingsArt.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { HomeFigures } from './HomeFigures.tsx';
import classes from './HomePage.module.css';

const features = [
  {
    Icon: IconShieldHeart,
    title: msg`Safe & Secure`,
    text: msg`Others never see your exact location, last name or email address, and we record every time our staff open an account.`,
  },
  {
    Icon: IconSparkles,
    title: msg`Smart Matching`,
    text: msg`We look at what you both want and have in common, so that every suggestion is worth your evening.`,
  },
  {
    Icon: IconWorld,
    title: msg`Global Community`,
    text: msg`From Lisbon to Osaka: people who are serious about meeting someone, wherever you are or are going.`,
  },
];

/** Reminds members to confirm their email address. */
function VerifyReminder() {
  return (
    <Box maw="80rem" mx="auto" pt="1rem" px="1.25rem">
      <Notice
        kind="info"
        action={
          <Button component={Link} to="/app/verify-email" variant="default" size="xs">
            {t`Confirm email`}
          </Button>
        }
      >
        {t`Please confirm your email address with the code we sent you.`}
      </Notice>
    </Box>
  );
}

/** Reminds members to finish their profile. */
function FinishReminder() {
  return (
    <Box maw="80rem" mx="auto" pt="1rem" px="1.25rem">
      <Notice
        kind="info"
        action={
          <Button component={Link} to="/app/welcome" variant="default" size="xs">
            {t`Finish your profile`}
          </Button>
        }
      >
        {t`Add a few more details so that others can see you.`}
      </Notice>
    </Box>
  );
}

/** A link to premium, or to the plan of members who have it; nothing until that is known. */
function PremiumLine() {
  const isVIP = useSession((session) => session.isVIP);
  const isMember = useSession((session) => session.user?.isAdmin === false);
  if (!isMember || isVIP === null) return null;
  return isVIP ? (
    <>
      {t`You have premium.`} <Link to="/app/settings/plan">{t`Your plan`}</Link>
    </>
  ) : (
    <>
      {t`Free to use, including messaging your matches.`} <Link to="/app/premium">{t`What premium adds`}</Link>
    </>
  );
}

/** The first page after signing in. */
export function HomePage() {
  useCurrentUser();
  // It explains the product's name, and another name means something else.
  const isProduct = useBrand().name === productName;
  const requiresVerification = useSession((session) => session.requiresVerification);
  const requiresProfileCompletion = useSession((session) => session.requiresProfileCompletion);
  return (
    <>
      {requiresVerification && <VerifyReminder />}
      {requiresProfileCompletion && <FinishReminder />}
      <section className={classes.hero}>
        <div>
          <PageHeading mb="1rem" fz="clamp(2.3rem, 1.4rem + 4vw, 4.1rem)" title={t`Home`}>
            {t`Find Your Perfect Match`}
          </PageHeading>
          <Text maw="34rem" mb="1.8rem" c="dimmed" fz="1.18rem">
            {isProduct && `${t`{brand} is the core that a tree grows around, ring by ring.`} `}
            {t`Meet people who are looking for something that lasts.`}
          </Text>
          <Buttons gap="0.75rem">
            <Button component={Link} to="/app/discover" size="lg">
              {t`Get Started`}
            </Button>
            <Button component={Link} to="/faqs" size="lg" variant="default">
              {t`Learn More`}
            </Button>
          </Buttons>
          <Text mih="1.6rem" mt="1.1rem" c="dimmed">
            <PremiumLine />
          </Text>
          <Text mt="0.4rem">
            <Link to="/app/safety">{t`How to stay safe`}</Link>
          </Text>
        </div>
        <div className={classes.picture}>
          <RingsArt className={classes.art} />
        </div>
      </section>
      <Group
        component="section"
        gap="1.25rem"
        align="stretch"
        maw="80rem"
        mx="auto"
        pb="3.5rem"
        px="1.25rem"
        aria-label={t`What {brand} offers`}
      >
        {features.map(({ Icon, title, text }) => (
          <Paper key={title.id} component="article" shadow="none" flex="1 1 17rem" p="1.6rem">
            <ThemeIcon size={48} bg="var(--hw-accent-soft)" c="var(--hw-accent)">
              <Icon size={26} stroke={1.6} aria-hidden="true" />
            </ThemeIcon>
            <Title order={2} mt="1rem" mb="0.5rem">
              {t(title)}
            </Title>
            <Text c="dimmed">{t(text)}</Text>
          </Paper>
        ))}
      </Group>
      <HomeFigures />
    </>
  );
}
