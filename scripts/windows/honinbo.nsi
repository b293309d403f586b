; The installer for Windows, for one person and without administrator rights.
; makensis -DVERSION=0.1.0 -DSTAGE=/folder -DOUT=/setup.exe -DICON=/icon.ico honinbo.nsi
; Silent: setup.exe /S [/D=C:\folder]; uninstall.exe /S. Games and settings lie elsewhere and are left alone.
Unicode true
ManifestDPIAware true
; Not solid: the networks are compressed already, and packing them again takes a minute for nothing.
SetCompressor lzma
!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include WinMessages.nsh
!include WordFunc.nsh
!include x64.nsh
; EachKind, by scripts/lib/windows-files.mjs --kinds.
!include "kinds.nsh"
!insertmacro GetSize

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Honinbo"
!define CLASSES "Software\Classes"
; Who notices come from, as src-tauri/tauri.conf.json has it: Windows shows none of somebody that it does not know.
!define NOTICES "${CLASSES}\AppUserModelId\io.github.honinbo"
Name "Honinbo"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Honinbo"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Honinbo"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Honinbo: the game of Go with a superhuman engine"
VIAddVersionKey CompanyName "The Honinbo authors"
VIAddVersionKey LegalCopyright "The Honinbo authors, MIT OR Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\honinbo-app.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"
!insertmacro MUI_LANGUAGE "TradChinese"
!insertmacro MUI_LANGUAGE "Japanese"
!insertmacro MUI_LANGUAGE "Korean"

LangString NEEDS64 ${LANG_ENGLISH} "Honinbo needs a 64-bit Windows."
LangString NEEDS64 ${LANG_SIMPCHINESE} "Honinbo 需要 64 位 Windows。"
LangString NEEDS64 ${LANG_TRADCHINESE} "Honinbo 需要 64 位元 Windows。"
LangString NEEDS64 ${LANG_JAPANESE} "Honinbo には 64 ビット版の Windows が必要です。"
LangString NEEDS64 ${LANG_KOREAN} "Honinbo에는 64비트 Windows가 필요합니다."
LangString RUNNING ${LANG_ENGLISH} "Honinbo is running. Close it, then try again."
LangString RUNNING ${LANG_SIMPCHINESE} "Honinbo 正在运行。请先关闭，然后重试。"
LangString RUNNING ${LANG_TRADCHINESE} "Honinbo 正在執行。請先關閉，然後重試。"
LangString RUNNING ${LANG_JAPANESE} "Honinbo が起動しています。終了してから、もう一度お試しください。"
LangString RUNNING ${LANG_KOREAN} "Honinbo가 실행 중입니다. 닫은 다음 다시 시도하세요."
LangString WEBVIEW ${LANG_ENGLISH} "The window needs Microsoft's WebView2 runtime, which is missing on this computer. Download it from Microsoft (2 MB, then about 150 MB) and install it now?"
LangString WEBVIEW ${LANG_SIMPCHINESE} "窗口需要微软的 WebView2 运行时，而这台电脑上没有。现在从微软下载（2 MB，随后约 150 MB）并安装吗？"
LangString WEBVIEW ${LANG_TRADCHINESE} "視窗需要 Microsoft 的 WebView2 執行階段，而這台電腦上沒有。現在從 Microsoft 下載（2 MB，隨後約 150 MB）並安裝嗎？"
LangString WEBVIEW ${LANG_JAPANESE} "ウィンドウの表示に必要な Microsoft の WebView2 ランタイムがありません。今すぐ Microsoft からダウンロード（2 MB、続いて約 150 MB）してインストールしますか？"
LangString WEBVIEW ${LANG_KOREAN} "창을 띄우려면 Microsoft의 WebView2 런타임이 필요한데, 이 컴퓨터에는 없습니다. 지금 Microsoft에서 내려받아(2 MB, 이어서 약 150 MB) 설치할까요?"

Function .onInit
  ${IfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "$(NEEDS64)" /SD IDOK
    Abort
  ${EndIf}
FunctionEnd

; Part of Windows 11 and of a current Windows 10. Where from: Microsoft, "Distribute your app and the WebView2 Runtime".
!define WEBVIEW2 "Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
!define BOOTSTRAPPER "https://go.microsoft.com/fwlink/p/?LinkId=2124703"
Function LookForWebView2
  ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\${WEBVIEW2}" "pv"
  ${If} $0 == ""
    ReadRegStr $0 HKCU "SOFTWARE\${WEBVIEW2}" "pv"
  ${EndIf}
  ${If} $0 == ""
  ${OrIf} $0 == "0.0.0.0"
    MessageBox MB_YESNO|MB_ICONEXCLAMATION "$(WEBVIEW)" /SD IDNO IDNO later
    ; curl is part of Windows since 10 1803. Microsoft's bootstrapper installs for this person alone, as we do.
    InitPluginsDir
    ${DisableX64FSRedirection}
    nsExec::ExecToLog '"$SYSDIR\curl.exe" --location --fail --silent --show-error --proto =https --output "$PLUGINSDIR\webview2.exe" "${BOOTSTRAPPER}"'
    Pop $0
    ${EnableX64FSRedirection}
    ${If} $0 == 0
      ExecWait '"$PLUGINSDIR\webview2.exe" /silent /install' $0
    ${EndIf}
    ${If} $0 != 0
      ExecShell "open" "https://developer.microsoft.com/microsoft-edge/webview2/consumer/"
    ${EndIf}
    later:
  ${EndIf}
FunctionEnd

!macro Associate EXTENSION
  WriteRegStr HKCU "${CLASSES}\.${EXTENSION}\OpenWithProgids" "Honinbo.record" ""
!macroend
!macro Dissociate EXTENSION
  DeleteRegValue HKCU "${CLASSES}\.${EXTENSION}\OpenWithProgids" "Honinbo.record"
!macroend

; A program that runs can be neither written over nor deleted: said before anything is changed.
!macro StopWhileRunning LABEL PROGRAM
  ${If} ${FileExists} "$INSTDIR\${PROGRAM}"
    ${LABEL}:
    ClearErrors
    FileOpen $1 "$INSTDIR\${PROGRAM}" a
    ${If} ${Errors}
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDRETRY ${LABEL}
      SetErrorLevel 1
      Abort
    ${EndIf}
    FileClose $1
  ${EndIf}
!macroend

; By name: the folder that the person chose may hold other things, and `resources` too.
!macro RemoveResources
  RMDir /r "$INSTDIR\resources\onnxruntime"
  RMDir /r "$INSTDIR\resources\networks"
  RMDir /r "$INSTDIR\resources\licences"
  RMDir /r "$INSTDIR\resources\web"
  RMDir "$INSTDIR\resources"
!macroend

Section "Honinbo"
  !insertmacro StopWhileRunning window honinbo-app.exe
  ; The other one runs wherever another Go program uses the engine.
  !insertmacro StopWhileRunning terminal honinbo.exe
  ; What an older version left is not to be found by the new one.
  !insertmacro RemoveResources
  SetOutPath "$INSTDIR"
  File /r /x networks "${STAGE}/*"
  SetCompress off
  SetOutPath "$INSTDIR\resources\networks"
  File /r "${STAGE}/resources/networks/*"
  SetCompress auto
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Honinbo.lnk" "$INSTDIR\honinbo-app.exe"

  ; `honinbo` in a terminal, for this person.
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\honinbo.exe" "" "$INSTDIR\honinbo.exe"
  ; A path that is longer than a string of this installer reads as none, or would be cut off: it is left as it is.
  StrCpy $4 yes
  ClearErrors
  ReadRegStr $0 HKCU "Environment" "Path"
  ${If} ${Errors}
    StrCpy $0 ""
    StrCpy $2 0
    ${Do}
      EnumRegValue $3 HKCU "Environment" $2
      ${If} $3 == "Path"
        StrCpy $4 no
      ${EndIf}
      IntOp $2 $2 + 1
    ${LoopUntil} $3 == ""
  ${EndIf}
  StrLen $2 "$0;$INSTDIR;"
  IntOp $3 ${NSIS_MAX_STRLEN} - 1
  ${If} $2 >= $3
    StrCpy $4 no
  ${EndIf}
  ${If} $4 == yes
    ClearErrors
    ${WordFind} "$0" ";" "E/$INSTDIR" $1
    ${If} ${Errors}
      ${If} $0 == ""
        StrCpy $0 "$INSTDIR"
      ${Else}
        StrCpy $0 "$0;$INSTDIR"
      ${EndIf}
      WriteRegExpandStr HKCU "Environment" "Path" "$0"
      SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
    ${EndIf}
  ${EndIf}

  WriteRegStr HKCU "${CLASSES}\Honinbo.record" "" "Go game record"
  WriteRegStr HKCU "${CLASSES}\Honinbo.record\DefaultIcon" "" "$INSTDIR\honinbo-app.exe,0"
  WriteRegStr HKCU "${CLASSES}\Honinbo.record\shell\open\command" "" '"$INSTDIR\honinbo-app.exe" "%1"'
  !insertmacro EachKind Associate
  ReadRegStr $0 HKCU "${CLASSES}\.sgf" ""
  ${If} $0 == ""
    WriteRegStr HKCU "${CLASSES}\.sgf" "" "Honinbo.record"
  ${EndIf}

  WriteRegStr HKCU "${NOTICES}" "DisplayName" "Honinbo"
  WriteRegStr HKCU "${NOTICES}" "IconUri" "$INSTDIR\resources\web\icon-192.png"

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Honinbo"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\honinbo-app.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Honinbo authors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  IntFmt $0 "0x%08X" $0
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" "$0"
  ${RefreshShellIcons}
  Call LookForWebView2
SectionEnd

Section "Uninstall"
  !insertmacro StopWhileRunning window honinbo-app.exe
  !insertmacro StopWhileRunning terminal honinbo.exe
  Delete "$SMPROGRAMS\Honinbo.lnk"
  !insertmacro RemoveResources
  Delete "$INSTDIR\honinbo.exe"
  Delete "$INSTDIR\honinbo-app.exe"
  Delete "$INSTDIR\WebView2Loader.dll"
  Delete "$INSTDIR\dxcompiler.dll"
  Delete "$INSTDIR\dxil.dll"
  Delete "$INSTDIR\msvcp140.dll"
  Delete "$INSTDIR\msvcp140_1.dll"
  Delete "$INSTDIR\vcruntime140.dll"
  Delete "$INSTDIR\vcruntime140_1.dll"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"

  ; A whole entry, wherever it stands: another may begin with the same folder. What would not fit is left as it is.
  ReadRegStr $0 HKCU "Environment" "Path"
  StrLen $2 ";$0;"
  IntOp $3 ${NSIS_MAX_STRLEN} - 1
  ${If} $2 < $3
    ${un.WordReplace} ";$0;" ";$INSTDIR;" ";" "+" $1
    ${If} $1 != ";$0;"
      ${If} $1 == ";"
        StrCpy $1 ""
      ${Else}
        StrCpy $1 $1 -1 1
      ${EndIf}
      WriteRegExpandStr HKCU "Environment" "Path" "$1"
      SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
    ${EndIf}
  ${EndIf}
  DeleteRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\honinbo.exe"
  ReadRegStr $0 HKCU "${CLASSES}\.sgf" ""
  ${If} $0 == "Honinbo.record"
    DeleteRegValue HKCU "${CLASSES}\.sgf" ""
  ${EndIf}
  !insertmacro EachKind Dissociate
  DeleteRegKey HKCU "${CLASSES}\Honinbo.record"
  DeleteRegKey HKCU "${NOTICES}"
  DeleteRegKey HKCU "${UNINSTALL}"
  ${RefreshShellIcons}
SectionEnd
