import { CheckField } from '../form/CheckField.tsx';
import { setSingleKeys, useSingleKeysOn } from './single-keys.ts';
import { t } from '../text/text.ts';

/** Switches the single-key shortcuts on or off; kept on this device. */
export function SingleKeysChoice() {
  const isOn = useSingleKeysOn();
  return (
    <CheckField
      checked={isOn}
      onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      label={t('Single-key shortcuts')}
      description={t('Turn these off if you use speech input or press keys by accident.')}
    />
  );
}
