import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { textKinds, type TextKind } from '#contract/service/text-kinds.ts';
import { listTextVersions } from '#contract/service/texts.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { SelectField } from '../../ui/form/Field.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { TextEditor } from './TextEditor.tsx';
import { ServiceTabs } from './ServiceTabs.tsx';

const kindNames: Record<TextKind, MessageDescriptor> = {
  faq: msg`FAQs`,
  privacy: msg`Privacy Policy`,
  terms: msg`Terms`,
  safety: msg`Safety center`,
};

/** The texts that the owner can replace by their own, one at a time. */
export function TextsPage() {
  const [query, setQuery] = useSearchParams();
  const kind = textKinds.find((one) => one === query.get('kind')) ?? 'privacy';
  const versions = useEndpoint(listTextVersions, { params: { kind } });
  return (
    <Page title={t`Texts`}>
      <ServiceTabs />
      <Stack gap="1.25rem">
        <SelectField
          label={t`Text`}
          choices={textKinds.map((value) => ({ value, label: t(kindNames[value]) }))}
          value={kind}
          onChange={(event) => setQuery({ kind: event.currentTarget.value }, { replace: true })}
        />
        <QueryStates
          query={versions}
          loadingText={t`Loading the text...`}
          skeleton="24rem"
          errorText={(error) => t`Couldn't load the text: ${error}`}
        >
          {(read) => <TextEditor key={kind} kind={kind} versions={read.versions} />}
        </QueryStates>
      </Stack>
    </Page>
  );
}
