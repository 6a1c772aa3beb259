import { create } from 'zustand';

/** The event with which a browser says that the app can be installed; so far only Chromium has it. */
interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** The browser's install prompt, deferred until the user asks for it; null if there is none. */
export const useInstallPrompt = create<{ prompt: InstallPrompt | null }>()(() => ({ prompt: null }));

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  useInstallPrompt.setState({ prompt: event as InstallPrompt });
});
