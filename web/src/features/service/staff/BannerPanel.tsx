import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { bannerAudiences, bannerKinds } from '#contract/service/banner.ts';
import type { Banner } from '#contract/service/settings.ts';
import { inWords } from '#contract/service/words.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { CheckField, TextField } from '../../../ui/form/Field.tsx';
import { fieldTime, isoTime } from '../../../ui/form/field-time.ts';
import { ChoiceGroup, FieldRow } from '../../../ui/form/Form.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { ownZone } from '../../../ui/text/own-zone.ts';
import { language } from '../../../ui/text/text.ts';
import { bannerLooks, BannerWords } from '../ServiceBanner.tsx';
import type { PartDraft } from './use-draft.ts';
import { WordsField } from './WordsField.tsx';

const usualDays = 7;
const minuteMs = 60_000;

/** A banner without a text, for a week from now on. */
function newBanner(): Banner {
  const [start, end] = [new Date(), new Date()];
  end.setDate(end.getDate() + usualDays);
  const [startsAt = '', endsAt = ''] = [start, end].map((time) => isoTime(fieldTime(time)));
  return { kind: 'news', audience: 'members', startsAt, endsAt, text: {} };
}

const typedTime = (at: string) => (at === '' ? '' : fieldTime(new Date(at)));

interface BannerFieldsProps {
  banner: Banner;
  errorOf: (field: string) => string | undefined;
  onChange: (banner: Banner) => void;
}

function BannerFields({ banner, errorOf, onChange }: BannerFieldsProps) {
  const { kind, audience, startsAt, endsAt, text } = banner;
  const change = (changed: Partial<Banner>) => onChange({ ...banner, ...changed });
  const isOver = Date.parse(endsAt) <= useNow(minuteMs);
  const kindWords = { news: t`News`, maintenance: t`Maintenance` };
  const audienceWords = { members: t`Members`, staff: t`Staff`, both: t`Members and staff` };
  return (
    <>
      <ChoiceGroup
        type="radio"
        name="bannerKind"
        legend={t`What it is about`}
        isRow
        choices={bannerKinds.map((value) => ({ value, label: kindWords[value] }))}
        chosen={[kind]}
        onChange={([chosen = 'news']) => change({ kind: chosen })}
      />
      <ChoiceGroup
        type="radio"
        name="bannerAudience"
        legend={t`Who sees it`}
        isRow
        choices={bannerAudiences.map((value) => ({ value, label: audienceWords[value] }))}
        chosen={[audience]}
        onChange={([chosen = 'members']) => change({ audience: chosen })}
      />
      <FieldRow>
        <TextField
          type="datetime-local"
          label={t({ message: 'Start', context: 'of a time' })}
          description={t`In the time zone of this device: ${{ zone: ownZone() }}.`}
          required
          value={typedTime(startsAt)}
          error={errorOf('startsAt')}
          onChange={(event) => change({ startsAt: isoTime(event.currentTarget.value) })}
        />
        <TextField
          type="datetime-local"
          label={t({ message: 'End', context: 'of a time' })}
          required
          value={typedTime(endsAt)}
          error={errorOf('endsAt')}
          remark={isOver ? t`This banner is over.` : ''}
          onChange={(event) => change({ endsAt: isoTime(event.currentTarget.value) })}
        />
      </FieldRow>
      <WordsField
        label={t`Text of the banner`}
        description={t`Plain text. Where a language has none, its readers see the one in the first language, or else any other.`}
        words={text}
        error={errorOf('text')}
        errorOf={(one) => errorOf(`text.${one}`)}
        onChange={(words) => change({ text: words })}
      />
      {inWords(text, language) !== '' && (
        <Stack component="figure" gap="0.5rem" m={0} maw="32rem" aria-label={t`Preview of the banner`}>
          <Text component="figcaption" fw={500}>
            {t`Preview`}
          </Text>
          <Notice kind={bannerLooks[kind]} isNews={false}>
            <BannerWords kind={kind} text={text} />
          </Notice>
        </Stack>
      )}
    </>
  );
}

/** A text above every page of members or staff for some time. */
export function BannerPanel({ draft: { value: banner, set, errorOf } }: { draft: PartDraft<'banner'> }) {
  return (
    <Panel
      title={t`Banner`}
      lead={t`A text at the top of every page from its start to its end, until the reader closes it. It appears and disappears by itself.`}
    >
      <Stack gap="1.2rem">
        <CheckField
          label={t`Show a banner`}
          checked={banner !== null}
          onChange={(event) => set(event.currentTarget.checked ? newBanner() : null)}
        />
        {banner !== null && <BannerFields banner={banner} errorOf={errorOf} onChange={set} />}
      </Stack>
    </Panel>
  );
}
