import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useMay } from '../../api/session/permission.ts';
import { MatchingFigures, matchingQuery } from '../../features/discovery/insights/MatchingFigures.tsx';
import { UserPicker } from '../../features/profiles/staff/UserPicker.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';
import { t } from '../../ui/text/text.ts';

const { Part: WhyShown } = lazyPart(() =>
  import('../../features/discovery/insights/WhyShown.tsx').then((m) => m.WhyShown),
);

/** How matching does, and why one member was shown another. */
export function MatchingPage() {
  const query = useQuery(matchingQuery);
  const mayExplain = useMay('matching.explain');
  return (
    <Page title={t('Matching')} actions={<LastUpdated query={query} />}>
      <MatchingFigures />
      {mayExplain && (
        <Suspense fallback={null}>
          <WhyShown userPicker={(label, onPick) => <UserPicker label={label} onPick={onPick} />} />
        </Suspense>
      )}
    </Page>
  );
}
