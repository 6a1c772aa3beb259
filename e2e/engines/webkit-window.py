#!/usr/bin/python3
# A WebKitGTK window for WebDriver: as narrow as a phone, with a microphone that may be used. MiniBrowser is wider and asks.
import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gtk, WebKit2

context = WebKit2.WebContext.get_default()
context.set_automation_allowed(True)
context.set_preferred_languages(['en-US'])


def open_view(_session=None):
    settings = WebKit2.Settings(enable_media_stream=True, enable_mock_capture_devices=True, enable_webrtc=True)
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, settings=settings)
    view.connect('permission-request', lambda _view, request: request.allow() or True)
    window = Gtk.Window(default_width=390, default_height=844)
    window.add(view)
    window.show_all()
    return view


def on_started(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name('webkit-window')
    info.set_version(1, 0, 0)
    session.set_application_info(info)
    session.connect('create-web-view', open_view)


context.connect('automation-started', on_started)
Gtk.main()
