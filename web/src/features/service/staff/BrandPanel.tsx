import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { type Language, languageNames, languages } from '#contract/languages.ts';
import { type BrandColours, isReadable, nearestReadable } from '#contract/service/colours.ts';
import type { Service } from '#contract/service/service.ts';
import { CheckField, SelectField, TextField } from '../../../ui/form/Field.tsx';
import { FieldRow } from '../../../ui/form/Form.tsx';
import { Columns, Panel } from '../../../ui/layout/Page.tsx';
import { BrandPictureField } from './BrandPictureField.tsx';
import { BrandPreview } from './BrandPreview.tsx';
import classes from './service.module.css';
import type { PartDraft } from './use-draft.ts';

const firstColours: BrandColours = { light: '#972f33', dark: '#f0a093' };
const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text);
const orNull = (text: string) => (text.trim() === '' ? null : text);

interface ColourFieldProps {
  label: string;
  scheme: keyof BrandColours;
  value: string;
  error: string | undefined;
  onChange: (colour: string) => void;
}

/** A colour, to choose or to type, and the nearest readable one if this one isn't. */
function ColourField({ label, scheme, value, error, onChange }: ColourFieldProps) {
  const nearest = isColour(value) && !isReadable(scheme, value) ? nearestReadable(scheme, value) : null;
  return (
    <Stack gap="0.4rem">
      <Group gap="0.6rem" align="flex-start" wrap="nowrap">
        <input
          type="color"
          className={classes.swatch}
          aria-label={t`Choose: ${label}`}
          value={isColour(value) ? value : '#000000'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <TextField
          label={label}
          dir="ltr"
          spellCheck={false}
          maxLength={7}
          value={value}
          error={error}
          remark={nearest === null ? '' : t`Text in this color is hard to read.`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </Group>
      {nearest !== null && (
        <Button variant="light" size="xs" onClick={() => onChange(nearest)}>
          {t`Use the nearest that can be read: ${nearest}`}
        </Button>
      )}
    </Stack>
  );
}

interface OwnColoursProps extends Pick<PartDraft<'brand'>, 'errorOf'> {
  colours: BrandColours | null;
  onChange: (colours: BrandColours | null) => void;
}

function OwnColours({ colours, errorOf, onChange }: OwnColoursProps) {
  return (
    <>
      <CheckField
        label={t`Own colors`}
        checked={colours !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? firstColours : null)}
      />
      {colours !== null && (
        <FieldRow>
          <ColourField
            label={t`In the light scheme`}
            scheme="light"
            value={colours.light}
            error={errorOf('colours.light')}
            onChange={(light) => onChange({ ...colours, light })}
          />
          <ColourField
            label={t`In the dark scheme`}
            scheme="dark"
            value={colours.dark}
            error={errorOf('colours.dark')}
            onChange={(dark) => onChange({ ...colours, dark })}
          />
        </FieldRow>
      )}
    </>
  );
}

interface BrandPanelProps {
  draft: PartDraft<'brand'>;
  configured: Service['configured'];
}

/** The name, the colours and the pictures of the service, with a preview. */
export function BrandPanel({ draft: { value: brand, set, errorOf }, configured }: BrandPanelProps) {
  const change = (changed: Partial<typeof brand>) => set((now) => ({ ...now, ...changed }));
  return (
    <Panel
      title={t`Brand`}
      lead={t`Everywhere at once: app, landing page, mails, receipts, notifications and the status page.`}
    >
      <Columns>
        <Stack gap="1rem">
          <TextField
            label={t`Name of the service`}
            required
            maxLength={60}
            value={brand.name}
            error={errorOf('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextField
            label={t`Legal entity`}
            description={t`Named on receipts as the seller, and on public pages. Its address and VAT ID are settings of the server.`}
            placeholder={configured.legalEntity ?? ''}
            value={brand.legalEntity ?? ''}
            error={errorOf('legalEntity')}
            onChange={(event) => change({ legalEntity: orNull(event.currentTarget.value) })}
          />
          <TextField
            label={t`Address for support`}
            type="email"
            dir="ltr"
            placeholder={configured.supportEmail}
            value={brand.supportEmail ?? ''}
            error={errorOf('supportEmail')}
            onChange={(event) => change({ supportEmail: orNull(event.currentTarget.value) })}
          />
          <SelectField
            label={t`First language`}
            description={t`For people whose own language is unknown or not offered. All others read the service in theirs.`}
            choices={languages.map((value) => ({ value, label: languageNames[value] }))}
            value={brand.language}
            onChange={(event) => change({ language: event.currentTarget.value as Language })}
          />
          <OwnColours colours={brand.colours} errorOf={errorOf} onChange={(colours) => change({ colours })} />
          <BrandPictureField
            kind="logo"
            label={t`Logo`}
            hint={t`In place of icon and name in the header, in the dark scheme on a light ground. Wide, SVG or PNG.`}
            picture={brand.logo}
            error={errorOf('logo')}
            onChange={(logo) => change({ logo })}
          />
          <BrandPictureField
            kind="icon"
            label={t`Icon`}
            hint={t`In the tab, on home screens and in small places. Square, SVG or PNG.`}
            picture={brand.icon}
            error={errorOf('icon')}
            onChange={(icon) => change({ icon })}
          />
        </Stack>
        <BrandPreview brand={brand} />
      </Columns>
    </Panel>
  );
}
