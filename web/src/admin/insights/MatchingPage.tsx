import { t } from '@lingui/core/macro';
import { getMatchingInsights } from '#contract/discovery.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { useMay } from '../../api/session/permission.ts';
import { MatchingFigures } from '../../features/discovery/insights/MatchingFigures.tsx';
import { UserPicker } from '../../features/profiles/staff/UserPicker.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { InsightTabs } from './InsightTabs.tsx';

const [WhyShown] = lazyPart(async () => (await import('../../features/discovery/insights/WhyShown.tsx')).WhyShown);

/** Figures about matching, and an explanation of why one member was shown another. */
export function MatchingPage() {
  const query = useEndpoint(getMatchingInsights);
  const mayExplain = useMay('matching.explain');
  return (
    <Page title={t`Matching`} actions={<LastUpdated query={query} />}>
      <InsightTabs />
      <MatchingFigures />
      {mayExplain && <WhyShown userPicker={(label, onPick) => <UserPicker label={label} onPick={onPick} />} />}
    </Page>
  );
}
