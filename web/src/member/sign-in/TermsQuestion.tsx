import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from 'react-router';
import { termsVersion } from '#contract/constants.ts';
import { configQuery } from '../../api/service-config.ts';
import { agree } from '../../features/auth/session/session-commands.ts';
import { signOut } from '../../features/auth/session/session.ts';
import { RichText } from '../../ui/data/RichText.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { AuthPage, AuthFields } from './AuthPage.tsx';

/** Links for members who don't agree, or not yet. */
function Foot() {
  return (
    <>
      <p>
        <RichText
          text={({ download, remove, ask }) =>
            t`Not ready to agree? You can ${download} or ${remove} first, or ${ask}.`
          }
          parts={{
            download: <Link to="/app/settings/data">{t`download your data`}</Link>,
            remove: <Link to="/app/settings/account">{t`delete your account`}</Link>,
            ask: <Link to="/app/support">{t`ask our support team`}</Link>,
          }}
        />
      </p>
      <Button variant="subtle" onClick={signOut}>
        {t`Sign out`}
      </Button>
    </>
  );
}

/** Asks members to agree to terms that have changed, and then shows the requested page. */
export function TermsQuestion() {
  // Asked again, because this page may have been open since before the terms changed, or may change under it.
  const config = useQuery({ ...configQuery, staleTime: 0 });
  const version = config.data?.termsVersion ?? termsVersion;
  const here = useLocation();
  const navigate = useNavigate();
  const agreeing = useMutation({
    // Opens the same page again, so that its title takes the focus.
    mutationFn: (read: string) =>
      agree(read, () =>
        navigate(
          { search: here.search, hash: here.hash },
          { replace: true, flushSync: true, state: here.state as unknown },
        ),
      ),
    onError: () => void config.refetch(),
  });
  const terms = <Link to="/app/terms">{t`Terms`}</Link>;
  const policy = <Link to="/privacy">{t`Privacy Policy`}</Link>;
  return (
    <AuthPage
      title={t`We've updated our terms`}
      lead={
        <RichText
          text={({ terms, policy, date }) =>
            t`The new ${terms} and ${policy} apply from ${date}. Please read them before you go on.`
          }
          parts={{ terms, policy, date: formatDay(version.slice(0, 10)) }}
        />
      }
      foot={<Foot />}
    >
      <AuthFields>
        <p>
          {t`By agreeing, you accept the new Terms, and that {brand} processes what you share about yourself, and who you would like to meet, as described in the Privacy Policy.`}
        </p>
        {agreeing.isError && <Notice kind="error">{agreeing.error.message}</Notice>}
        <BusyButton
          size="md"
          isBusy={agreeing.isPending}
          busyText={t`Saving...`}
          onClick={() => agreeing.mutate(version)}
        >
          {t`Agree and continue`}
        </BusyButton>
      </AuthFields>
    </AuthPage>
  );
}
